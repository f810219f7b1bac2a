export type Language = 'zh' | 'en';

/** Chinese unless the caller's first language is English. */
export const languageOf = (acceptLanguage: string | undefined): Language =>
  acceptLanguage?.trim().toLowerCase().startsWith('en') === true ? 'en' : 'zh';
