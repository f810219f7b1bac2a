import i18next, { type TFunction } from 'i18next';
import type { OptionKey } from './option-fields.ts';
import { fieldsOf, type Section, sections, sectionTitle } from './sections.ts';

export type Found = Readonly<{ section: Section; options: readonly OptionKey[] }>;

const has = (text: string, words: readonly string[]): boolean => {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
};

/** What an option does, where its name leaves that open. */
export const helpOf = (key: OptionKey, t: TFunction<'setting'>): string =>
  i18next.exists(`setting:help.${key}`) ? t(`help.${key}` as 'help.QuotaPerUnit') : '';

/** Sections by their title, and options by label, help and the name in the API. */
export const searchSections = (text: string, t: TFunction<'setting'>): readonly Found[] => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return sections
    .map((section) => {
      const title = t(sectionTitle(section));
      const options = fieldsOf(section)
        .map(([key]) => key)
        .filter((key) => has(`${t(`label.${key}`)} ${helpOf(key, t)} ${key} ${title}`, words))
        .filter((key) => !has(title, words) || has(`${t(`label.${key}`)} ${key}`, words));
      return { section, options, isNamed: has(title, words) };
    })
    .filter(({ options, isNamed }) => isNamed || options.length > 0);
};
