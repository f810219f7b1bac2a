/** Offset of a word, in bytes. */
type WordHit = Readonly<{ word: string; start: number; end: number }>;

export type WordMatcher = Readonly<{
  /** What it candidates for: another thread makes its own of it. */
  words: readonly string[];
  /** The first word at or behind `from`; letters of ASCII match in either case. */
  next: (bytes: Buffer, from?: number) => WordHit | null;
  /**
   * A quick check: false when there is certainly none, neither plainly nor hidden from a search of
   * raw bytes by JSON escapes or capital letters.
   */
  mayHold: (bytes: Buffer) => boolean;
}>;

type Pattern = Readonly<{ word: string; bytes: Buffer }>;

const escapeOfAscii = Buffer.from('\\u00');
const escapeOfAny = Buffer.from('\\u');
const escapedSlash = Buffer.from('\\/');
/** Up to here a compiled pattern is faster: 3.5 against 14 microseconds for 16 KB and one word. */
const fewWords = 4;
/**
 * Read as text at once: one text of a long body is a separate allocation, which takes longer than
 * the search.
 */
const pieceBytes = 16_384;
const notAscii = /[^\0-\x7f]/;

const foldedTable = Uint8Array.from({ length: 256 }, (_none, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
);
const folded = (byte: number | undefined): number => foldedTable[byte ?? 0] ?? 0;

/** A word as it occurs in a text, and as JSON writes it when that differs. */
const formsOf = (word: string): readonly Pattern[] => {
  const inJson = JSON.stringify(word).slice(1, -1);
  const forms = inJson === word ? [word] : [word, inJson];
  return forms.map((form) => ({ word, bytes: Buffer.from(form) }));
};

const isAt = (bytes: Buffer, start: number, own: Buffer): boolean => {
  if (start + own.length > bytes.length) return false;
  for (let at = 0; at < own.length; at += 1) {
    if (folded(bytes[start + at]) !== folded(own[at])) return false;
  }
  return true;
};

/** Over bytes read as single letters; it may take one letter for another, and never misses one. */
const anyOf = (patterns: readonly Pattern[]): RegExp =>
  new RegExp(
    patterns
      .map(({ bytes }) => bytes.toString('latin1').replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
      .join('|'),
    'i',
  );

const holdsAny = (patterns: readonly Pattern[]): ((bytes: Buffer) => boolean) => {
  const any = anyOf(patterns);
  const overlap = Math.max(...patterns.map(({ bytes }) => bytes.length)) - 1;
  const size = Math.max(pieceBytes, 2 * overlap);
  return (bytes) => {
    for (let from = 0; from < bytes.length; from += size) {
      if (any.test(bytes.toString('latin1', from, from + size + overlap))) return true;
    }
    return false;
  };
};

/**
 * Written in one form only, and rare in texts and in JSON: where a word has such a byte, that is
 * searched first.
 */
const seldom = /[!#$%&*+;<=>?@^_`|~]/;
/** To compare the word there costs as much as the pattern takes for so many bytes. */
const bytesPerCandidate = 512;

type Anchored = Readonly<{ own: Buffer; anchor: number; offset: number }>;

const anchoredOf = ({ bytes }: Pattern): Anchored | null => {
  const offset = bytes.toString('latin1').search(seldom);
  return offset === -1 ? null : { own: bytes, anchor: bytes[offset] ?? 0, offset };
};

/** null: the text is too full of that byte. */
const holds = ({ own, anchor, offset }: Anchored, bytes: Buffer): boolean | null => {
  let candidates = 16 + bytes.length / bytesPerCandidate;
  let at = bytes.indexOf(anchor, offset);
  while (at !== -1) {
    if (isAt(bytes, at - offset, own)) return true;
    candidates -= 1;
    if (candidates < 0) return null;
    at = bytes.indexOf(anchor, at + 1);
  }
  return false;
};

/** By a byte of each word, natively; a text that is full of that byte goes to the pattern. */
const holdsAnchored = (
  patterns: readonly Pattern[],
  byPattern: (bytes: Buffer) => boolean,
): ((bytes: Buffer) => boolean) => {
  const anchored = patterns.map(anchoredOf).filter((found) => found !== null);
  if (anchored.length < patterns.length) return byPattern;
  return (bytes) => {
    for (const word of anchored) {
      const found = holds(word, bytes);
      if (found !== false) return found ?? byPattern(bytes);
    }
    return false;
  };
};

/**
 * Many words in one pass (Wu and Manber 1994): two bytes at a time determine how far no word can
 * end, so that most of a text is never read. null: there are no words.
 */
export const createWordMatcher = (list: readonly string[]): WordMatcher | null => {
  const words = [...new Set(list.map((word) => word.trim().toLowerCase()))].filter(Boolean);
  const patterns = words.flatMap(formsOf);
  if (patterns.length === 0) return null;
  const shortest = Math.min(...patterns.map(({ bytes }) => bytes.length));
  const width = Math.min(2, shortest);
  const farthest = Math.min(255, shortest - width + 1);
  const shifts = new Uint8Array(65_536).fill(farthest);
  const endings = new Map<number, Pattern[]>();
  const keyAt = (bytes: Buffer, end: number): number =>
    width === 1 ? folded(bytes[end]) : (folded(bytes[end - 1]) << 8) | folded(bytes[end]);

  for (const pattern of patterns) {
    for (let end = width - 1; end < shortest; end += 1) {
      const key = keyAt(pattern.bytes, end);
      shifts[key] = Math.min(shifts[key] ?? 0, shortest - 1 - end);
    }
    const last = keyAt(pattern.bytes, shortest - 1);
    endings.set(last, [...(endings.get(last) ?? []), pattern]);
  }

  const isAscii = !words.some((word) => notAscii.test(word));
  const hasSlash = words.some((word) => word.includes('/'));
  const hasLargeLetters = words.some(
    (word) =>
      notAscii.test(word) &&
      word.toUpperCase() !== word.replace(/[a-z]+/g, (own) => own.toUpperCase()),
  );
  const escaped = isAscii ? escapeOfAscii : escapeOfAny;

  const few = patterns.length <= fewWords ? holdsAnchored(patterns, holdsAny(patterns)) : null;

  const next: WordMatcher['next'] = (bytes, from = 0) => {
    let end = from + shortest - 1;
    while (end < bytes.length) {
      const key = keyAt(bytes, end);
      const shift = shifts[key] ?? 0;
      if (shift > 0) {
        end += shift;
        continue;
      }
      const start = end - shortest + 1;
      const found = endings.get(key)?.find((own) => isAt(bytes, start, own.bytes));
      if (found !== undefined) {
        return { word: found.word, start, end: start + found.bytes.length };
      }
      end += 1;
    }
    return null;
  };

  const mayHide = (bytes: Buffer): boolean =>
    hasLargeLetters || bytes.includes(escaped) || (hasSlash && bytes.includes(escapedSlash));

  return {
    words,
    next,
    mayHold: (bytes) => (few === null ? next(bytes) !== null : few(bytes)) || mayHide(bytes),
  };
};
