import { readLocal } from '../shared/local-values.ts';

export type Language = 'zh' | 'en';

/** A language is fetched when it is chosen; the other one is not. */
export const textFiles = {
  en: () => import('../locales/en/index.ts'),
  zh: () => import('../locales/zh/index.ts'),
} as const;

export const storedLanguage = (): Language =>
  readLocal('i18nextLng')?.startsWith('en') ? 'en' : 'zh';

/**
 * Fetches the texts of the stored language; the caller requests them again, and gets the error when
 * they fail.
 */
export const fetchTexts = (): void => void textFiles[storedLanguage()]().catch(() => undefined);
