import { createWordMatcher, type WordMatcher } from '../feeds/word-matcher.ts';

/** Offset of a word, in letters. */
export type TextHit = Readonly<{ word: string; start: number; end: number }>;

const inAscii = (word: string): string =>
  word.replace(
    /[^\0-\x7f]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Small letters; as many as before, so that an offset is the same in both. */
const folded = (text: string): string => {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return text.replace(/[^\0-\x7f]/g, (letter) => {
    const smallLetter = letter.toLowerCase();
    return smallLetter.length === letter.length ? smallLetter : letter;
  });
};

/** The words of an operator's list, searched in texts that arrive in pieces. */
export class AnswerWords {
  /** Arguments of tools are JSON in a text: letters may be escapes there. */
  private readonly matcher: WordMatcher | null;
  private readonly wordOf = new Map<string, string>();
  private readonly beginnings = new Set<string>();
  private readonly longest: number;

  constructor(words: readonly string[]) {
    for (const word of words) for (const form of [word, inAscii(word)]) this.wordOf.set(form, word);
    const forms = [...this.wordOf.keys()];
    this.matcher = createWordMatcher(forms);
    for (const form of forms) {
      for (let size = 1; size < form.length; size += 1) this.beginnings.add(form.slice(0, size));
    }
    this.longest = Math.max(0, ...forms.map(({ length }) => length)) - 1;
  }

  all(text: string): readonly TextHit[] {
    const bytes = Buffer.from(folded(text));
    const hits: TextHit[] = [];
    let hit = this.matcher?.next(bytes) ?? null;
    for (; hit !== null; hit = this.matcher?.next(bytes, hit.end) ?? null) {
      const start = bytes.toString('utf8', 0, hit.start).length;
      const end = start + bytes.toString('utf8', hit.start, hit.end).length;
      hits.push({ word: this.wordOf.get(hit.word) ?? hit.word, start, end });
    }
    return hits;
  }

  /** How many of the last letters may begin a word. */
  begunIn(text: string): number {
    const tail = folded(text.slice(-this.longest));
    for (let size = tail.length; size > 0; size -= 1) {
      if (this.beginnings.has(tail.slice(-size))) return size;
    }
    return 0;
  }
}

const compiled = new WeakMap<WordMatcher, AnswerWords>();

/** Compiled once for each list. */
export const answerWords = (matcher: WordMatcher): AnswerWords => {
  const words = compiled.get(matcher) ?? new AnswerWords(matcher.words);
  compiled.set(matcher, words);
  return words;
};
