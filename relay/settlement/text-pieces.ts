/*
 * Byte-pair merging takes time with the square of the length of a run without a word break: one of
 * 8,192 Chinese letters takes half a second. Runs are cut here before they get to it, always at the
 * same places, which adds less than one token a cut.
 */

/** Longest run of one kind of character, in UTF-16 units. */
export const maxRunChars = 64;
/** Longest text that is handed over in one go; it is cut wherever that is. */
const maxPieceChars = 8_192;

const space = 0;
const letter = 1;
const digit = 2;
const sign = 3;

const asciiKinds = Uint8Array.from({ length: 128 }, (_none, code) => {
  const char = String.fromCharCode(code);
  if (code <= 0x20 || code === 0x7f) return space;
  if (/[a-z]/i.test(char)) return letter;
  return /\d/.test(char) ? digit : sign;
});

/** CJK and full-width punctuation break words as ASCII's does. */
const isWideSign = (code: number): boolean =>
  (code >= 0x3000 && code <= 0x303f) || (code >= 0xff00 && code <= 0xff0f);

const kindOf = (code: number): number => {
  if (code < 128) return asciiKinds[code] ?? sign;
  return isWideSign(code) ? sign : letter;
};

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Hands over a text in pieces without a run that is longer than `maxRunChars`. */
export const eachPiece = (text: string, visit: (piece: string) => void): void => {
  let start = 0;
  let run = 0;
  let kind = -1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const own = kindOf(code);
    run = own === kind ? run + 1 : 1;
    kind = own;
    const isFull = run > maxRunChars || at - start >= maxPieceChars;
    if (!isFull || isLowSurrogate(code)) continue;
    visit(text.slice(start, at));
    start = at;
    run = 1;
  }
  if (start < text.length) visit(text.slice(start));
};
