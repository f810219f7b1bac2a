/** Deeper than anything that a console sends, and far from what the stack of a walk bears. */
const maxDepth = 64;

const quote = 0x22;
const backslash = 0x5c;

const isOpening = (code: number): boolean => code === 0x7b || code === 0x5b;
const isClosing = (code: number): boolean => code === 0x7d || code === 0x5d;

/** The place behind the string that begins at `from`. */
const afterString = (text: string, from: number): number => {
  let at = from + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    at += code === backslash ? 2 : 1;
  }
  return at;
};

const isTooDeep = (text: string): boolean => {
  let depth = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = afterString(text, at);
      continue;
    }
    if (isOpening(code)) depth += 1;
    else if (isClosing(code)) depth -= 1;
    if (depth > maxDepth) return true;
    at += 1;
  }
  return false;
};

/**
 * A JSON text of a stranger. What nests deeper than the product's own data ever does is refused: the
 * parser bears it, but not every function that walks the value afterwards.
 * @throws SyntaxError
 */
export const parseJson = (text: string): unknown => {
  if (isTooDeep(text)) throw new SyntaxError(`JSON nests deeper than ${maxDepth} levels`);
  return JSON.parse(text);
};
