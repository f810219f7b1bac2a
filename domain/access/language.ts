export type Language = 'zh' | 'en';

/** Chinese unless the caller's first language is English (spec section 1). */
export const languageOf = (acceptLanguage: string | undefined): Language =>
  acceptLanguage?.trim().toLowerCase().startsWith('en') === true ? 'en' : 'zh';
