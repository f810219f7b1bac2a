import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type auditEntries from '../locales/zh/audit-entries.json';
import type { texts } from '../locales/zh/index.ts';
import { writeLocal } from '../shared/local-values.ts';
import { type Language, storedLanguage, textFiles } from './text-files.ts';

export type { Language };

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    keySeparator: false;
    resources: typeof texts & { audit: typeof auditEntries };
  }
}

const load = async (language: Language): Promise<void> => {
  const { texts } = await textFiles[language]();
  for (const [namespace, resources] of Object.entries(texts)) {
    i18next.addResourceBundle(language, namespace, resources);
  }
};

const markDocument = (language: Language) => {
  document.documentElement.lang = language === 'en' ? 'en' : 'zh-CN';
};

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
