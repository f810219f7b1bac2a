import type { Language } from '../access/language.ts';
import type { UserId } from '../shared/ids.ts';

const words: Readonly<Record<Language, string>> = { zh: '已注销用户', en: 'deleted user' };

/** Replaces the name of a deleted person. */
export const deletedUserName = (userId: UserId, language: Language): string =>
  `${words[language]} #${userId}`;

const form = new RegExp(`^(?:${Object.values(words).join('|')}) #(\\d{1,15})$`);

/** The person behind such a name; null for any other text. */
export const deletedUserNamed = (text: string): UserId | null => {
  const [, digits] = form.exec(text) ?? [];
  return digits === undefined ? null : Number(digits);
};
