import { createWordMatcher, type WordMatcher } from './word-matcher.ts';

type Texts = ReadonlyMap<string, string>;

/** The list as the option has it: one word a line. */
const defaultWords = 'test_sensitive';

/** Compiled once for each list: options change often, the list seldom. */
let known: Readonly<{ list: string; words: WordMatcher | null }> = { list: '', words: null };

const wordsOf = (list: string): WordMatcher | null => {
  if (known.list !== list) known = { list, words: createWordMatcher(list.split('\n')) };
  return known.words;
};

/** `CheckSensitiveEnabled` and the options with it (infra/reference/protocols.md, section 8). */
export const contentFilterOf = (texts: Texts): ContentFilter => {
  const isOn = (name: string, otherwise: boolean): boolean =>
    (texts.get(name) ?? String(otherwise)) === 'true';
  const words = isOn('CheckSensitiveEnabled', true)
    ? wordsOf(texts.get('SensitiveWords') ?? defaultWords)
    : null;
  return {
    prompt: isOn('CheckSensitiveOnPromptEnabled', true) ? words : null,
    completion: isOn('CheckSensitiveOnCompletionEnabled', false) ? words : null,
    stops: isOn('StopOnSensitiveEnabled', true),
  };
};

/** The blocked words. null: that side is not searched. */
export type ContentFilter = Readonly<{
  prompt: WordMatcher | null;
  completion: WordMatcher | null;
  /** An answer with such a word ends there; otherwise the word is made unreadable. */
  stops: boolean;
}>;
