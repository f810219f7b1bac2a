/*
 * Byte-pair merging takes time with the square of the length of a run that a tokenizer takes for
 * one word: 8,192 Chinese letters without a break took half a second. Runs are cut here before they
 * get to it, always at the same places, which adds less than one token a cut.
 */

/** Longest run of one kind of character, in UTF-16 units. */
export const maxRunChars = 64;
/** Longest text that is handed over in one go; it is cut wherever that is. */
const maxPieceChars = 8_192;

/** What the split patterns of the tokenizers repeat without a bound; some characters are in two. */
const word = 1;
const sign = 2;
const space = 4;
const known = 8;

const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;
/** The second half of a character: one low surrogate alone is none. */
const isSecondHalf = (text: string, at: number): boolean =>
  (text.codePointAt(at - 1) ?? 0) > 0xffff;

const examined = (code: number): number => {
  // Letters and signs of the further planes are counted as both.
  if (isSurrogate(code)) return known | word | sign;
  const char = String.fromCharCode(code);
  let kinds = known;
  if (/[\p{L}\p{M}]/u.test(char)) kinds |= word;
  if (/[^\s\p{L}\p{N}]|[\r\n]/u.test(char)) kinds |= sign;
  if (/\s/u.test(char)) kinds |= space;
  return kinds;
};

const kindsOfCode = new Uint8Array(65_536);
const kindsOf = (code: number): number => {
  const kinds = kindsOfCode[code] ?? 0;
  if (kinds !== 0) return kinds;
  const own = examined(code);
  kindsOfCode[code] = own;
  return own;
};

/** Hands over a text in pieces without a run that is longer than `maxRunChars`. */
export const eachPiece = (text: string, visit: (piece: string) => void): void => {
  let start = 0;
  let words = 0;
  let signs = 0;
  let spaces = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const kinds = kindsOf(code);
    words = (kinds & word) === 0 ? 0 : words + 1;
    signs = (kinds & sign) === 0 ? 0 : signs + 1;
    spaces = (kinds & space) === 0 ? 0 : spaces + 1;
    const isFull = Math.max(words, signs, spaces) > maxRunChars || at - start >= maxPieceChars;
    if (!isFull || isSecondHalf(text, at)) continue;
    visit(text.slice(start, at));
    start = at;
    words = Math.min(words, 1);
    signs = Math.min(signs, 1);
    spaces = Math.min(spaces, 1);
  }
  if (start < text.length) visit(text.slice(start));
};
