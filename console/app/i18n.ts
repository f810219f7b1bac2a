import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { auditEntries } from '../locales/zh/audit-entries.ts';
import type { texts } from '../locales/zh/index.ts';
import { readLocal, writeLocal } from '../shared/local-values.ts';

export type Language = 'zh' | 'en';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    keySeparator: false;
    resources: typeof texts & { audit: typeof auditEntries };
  }
}

/** A language is loaded when it is chosen; the other one is not fetched. */
const load = async (language: Language): Promise<void> => {
  const { texts } =
    language === 'en'
      ? await import('../locales/en/index.ts')
      : await import('../locales/zh/index.ts');
  for (const [namespace, resources] of Object.entries(texts)) {
    i18next.addResourceBundle(language, namespace, resources);
  }
};

const markDocument = (language: Language) => {
  document.documentElement.lang = language === 'en' ? 'en' : 'zh-CN';
};

export const storedLanguage = (): Language =>
  readLocal('i18nextLng')?.startsWith('en') ? 'en' : 'zh';

/** The one that is to be loaded, before it is. */
export const currentLanguage = (): Language =>
  (i18next.language ?? storedLanguage()) === 'en' ? 'en' : 'zh';

export const startI18n = async (language: Language = storedLanguage()): Promise<void> => {
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: {},
    defaultNS: 'common',
    keySeparator: false,
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  await load(language);
  markDocument(language);
};

export const changeLanguage = async (language: Language): Promise<void> => {
  await load(language);
  await i18next.changeLanguage(language);
  writeLocal('i18nextLng', language);
  markDocument(language);
};
