const usageKey = Buffer.from('"usage"');
/** As long as the other, so that one comparison finds both. */
const errorKey = Buffer.from('"error"');
const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const letterE = 0x65;
const letterG = 0x67;
const letterO = 0x6f;
const letterR = 0x72;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** How far the window may move, by the byte under its end (Horspool's search). */
const shifts = new Uint8Array(256).fill(usageKey.length);
for (const key of [usageKey, errorKey]) {
  for (let at = 0; at < key.length - 1; at += 1) {
    const byte = key[at] ?? 0;
    shifts[byte] = Math.min(shifts[byte] ?? 0, key.length - 1 - at);
  }
}
/** Below this a call into native code costs more than the search itself. */
const shortBytes = 2_048;

/** Whether one of the keys ends with the quote at this offset. */
const endsKey = (bytes: Buffer, end: number): boolean => {
  const last = bytes[end - 1];
  const before = bytes[end - 2];
  let key: Buffer;
  if (last === letterE && before === letterG) key = usageKey;
  else if (last === letterR && before === letterO) key = errorKey;
  else return false;
  return key.compare(bytes, end - key.length + 1, end + 1) === 0;
};

const nextLong = (bytes: Buffer, from: number): number => {
  const usage = bytes.indexOf(usageKey, from);
  const error = bytes.indexOf(errorKey, from);
  return usage === -1 || (error !== -1 && error < usage) ? error : usage;
};

/** Offset of the next of the keys; -1: none. */
const nextKey = (bytes: Buffer, from: number): number => {
  if (bytes.length - from > shortBytes) return nextLong(bytes, from);
  let end = from + usageKey.length - 1;
  while (end < bytes.length) {
    const byte = bytes[end] ?? 0;
    if (byte === quote && endsKey(bytes, end)) return end - usageKey.length + 1;
    end += shifts[byte] ?? 1;
  }
  return -1;
};

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** First byte of the value behind a key that ends at `from`; -1 when it is no key. */
export const valueAt = (bytes: Buffer, from: number): number => {
  let at = from;
  while (isSpace(bytes[at])) at += 1;
  if (bytes[at] !== colon) return -1;
  at += 1;
  while (isSpace(bytes[at])) at += 1;
  return at;
};

/** Just behind the string that opens at `from`; the end of the bytes when it does not close. */
const stringEnd = (bytes: Buffer, from: number): number => {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at + 1;
};

/** Just behind the brace that closes the object at `from`; -1 when it is not all there. */
export const objectEnd = (bytes: Buffer, from: number): number => {
  let depth = 0;
  let at = from;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === quote) {
      at = stringEnd(bytes, at);
      continue;
    }
    at += 1;
    if (byte === openBrace) depth += 1;
    else if (byte === closeBrace) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
};

/** Offset of an object that is the value of a `usage` key, or of a mention of an error. */
export type Found = Readonly<{ key: number; start: number; end: number; isError: boolean }>;

const objectBehind = (bytes: Buffer, key: number): Found | null => {
  const start = valueAt(bytes, key + usageKey.length);
  if (start === -1 || bytes[start] !== openBrace) return null;
  const end = objectEnd(bytes, start);
  return end === -1 ? null : { key, start, end, isError: false };
};

/**
 * The last usage object; text inside answers cannot be mistaken for one, its quotes are escaped.
 */
export const lastUsage = (bytes: Buffer): Found | null => {
  let key = bytes.lastIndexOf(usageKey);
  while (key !== -1) {
    const found = objectBehind(bytes, key);
    if (found !== null) return found;
    key = key === 0 ? -1 : bytes.lastIndexOf(usageKey, key - 1);
  }
  return null;
};

/** An `error` with content, or something that is named so. */
const isError = (bytes: Buffer, key: number): boolean => {
  const start = valueAt(bytes, key + errorKey.length);
  if (start !== -1) return bytes[start] === openBrace || bytes[start] === quote;
  let before = key - 1;
  while (isSpace(bytes[before])) before -= 1;
  return bytes[before] === colon;
};

/** The first usage object from `from` on, or the first mention of an error if that precedes it. */
export const nextReport = (bytes: Buffer, from: number): Found | null => {
  let key = nextKey(bytes, from);
  while (key !== -1) {
    const end = key + usageKey.length;
    if (bytes[key + 1] !== letterE) {
      const found = objectBehind(bytes, key);
      if (found !== null) return found;
    } else if (isError(bytes, key)) return { key, start: end, end, isError: true };
    key = nextKey(bytes, end);
  }
  return null;
};

/** The first usage object from `from` on. */
export const nextUsage = (bytes: Buffer, from: number): Found | null => {
  let found = nextReport(bytes, from);
  while (found?.isError === true) found = nextReport(bytes, found.end);
  return found;
};

/** Offset of the next key of an error; -1: none. */
const nextErrorKey = (bytes: Buffer, from: number): number => {
  if (bytes.length - from > shortBytes) return bytes.indexOf(errorKey, from);
  let key = nextKey(bytes, from);
  while (key !== -1 && bytes[key + 1] !== letterE) key = nextKey(bytes, key + usageKey.length);
  return key;
};

/** Whether a provider mentions an error in these events. */
export const tellsOfError = (bytes: Buffer): boolean => {
  let key = nextErrorKey(bytes, 0);
  while (key !== -1 && !isError(bytes, key)) key = nextErrorKey(bytes, key + errorKey.length);
  return key !== -1;
};

/** JSON of the last object behind a key; null: there is none that is all there. */
export const lastObjectBehind = (bytes: Buffer, key: Buffer): string | null => {
  let at = bytes.lastIndexOf(key);
  while (at !== -1) {
    const start = valueAt(bytes, at + key.length);
    const end = start !== -1 && bytes[start] === openBrace ? objectEnd(bytes, start) : -1;
    if (end !== -1) return bytes.toString('utf8', start, end);
    at = at === 0 ? -1 : bytes.lastIndexOf(key, at - 1);
  }
  return null;
};

const choicesKey = Buffer.from('"choices"');

/** Does this event hold `"choices": []`: a report of usage and nothing else? */
export const hasNoChoices = (event: Buffer): boolean => {
  const key = event.indexOf(choicesKey);
  if (key === -1) return false;
  let at = valueAt(event, key + choicesKey.length);
  if (at === -1 || event[at] !== 0x5b) return false;
  at += 1;
  while (isSpace(event[at])) at += 1;
  return event[at] === 0x5d;
};
