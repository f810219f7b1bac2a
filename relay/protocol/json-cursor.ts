/*
 * Reads the few fields a relay needs out of a JSON body without parsing it. The grammar is checked
 * as JSON.parse does, but for the insides of strings (control characters, unknown escapes), which
 * the provider judges. Long strings are skipped natively, so that a 16 KB chat costs microseconds.
 */

import { marksByLength } from './held-marks.ts';
import { wordedMembers } from './worded-members.ts';

/** Offsets of a member of the top-level object in the body. */
export type Member = Readonly<{
  /** Offset of the opening quote of the key. */
  keyStart: number;
  valueStart: number;
  /** Exclusive. */
  valueEnd: number;
}>;

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;
const colon = 0x3a;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;
const dot = 0x2e;

/** Deeper bodies are refused: no client sends them, and readers recurse. */
export const maxDepth = 512;
const blobMinBytes = 8_192;

export class Invalid extends Error {}
const invalid = new Invalid('not JSON');
export const tooDeep = new Invalid('too deep');

export let body: Buffer = Buffer.alloc(0);
let blobBytes = 0;
let blobs = 0;
let pictures = 0;
let keptMarks = 0;

/** Content of the body other than text. */
export const heldFound = () => ({ blobBytes, blobs, pictures, kept: keptMarks });

/** Counts a short string that marks content without text. */
const noteMark = (start: number, end: number): void => {
  const marks = marksByLength[end - start];
  if (marks === undefined) return;
  for (const { kind, bytes } of marks) {
    let at = 0;
    while (at < bytes.length && body[start + at] === bytes[at]) at += 1;
    if (at < bytes.length) continue;
    if (kind === 'kept') keptMarks += 1;
    else pictures += 1;
    return;
  }
};

const skipSpace = (from: number): number => {
  let at = from;
  for (;;) {
    const byte = body[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
    at += 1;
  }
};

/** Base64 all through its first bytes, perhaps behind `data:…,`. */
const looksLikeBlob = (start: number, end: number): boolean => {
  let at = start;
  if (body.toString('latin1', start, start + 5) === 'data:') {
    const mark = body.subarray(start, start + 128).indexOf(comma);
    if (mark !== -1) at = start + mark + 1;
  }
  const stop = Math.min(at + 256, end);
  for (; at < stop; at += 1) {
    const byte = body[at] ?? 0;
    const alphanumeric = (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
    if (!alphanumeric && !(byte >= 0x2b && byte <= nine) && byte !== 0x3d && byte !== 0x5f) {
      return false;
    }
  }
  return true;
};

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The last byte before `from` that is no space. */
const lastBefore = (from: number): number => {
  let at = from - 1;
  while (isSpace(body[at])) at -= 1;
  return at;
};

/** Whether the string whose quote opens at `from` is a text. */
const isWords = (from: number): boolean => {
  const before = lastBefore(from);
  if (body[before] !== colon) return body.toString('latin1', from + 1, from + 6) !== 'data:';
  const keyEnd = lastBefore(before);
  const keyStart = body.lastIndexOf(quote, keyEnd - 1) + 1;
  const key = body.toString('latin1', keyStart, keyEnd);
  return wordedMembers.has(key) || key.includes('\\');
};

const noteString = (start: number, end: number): void => {
  if (end - start < blobMinBytes || !looksLikeBlob(start, end) || isWords(start - 1)) return;
  blobBytes += end - start;
  blobs += 1;
};

/** Is the quote at `end` escaped? Nothing before `from` counts. */
const isEscaped = (from: number, end: number): boolean => {
  let before = end - 1;
  while (before >= from && body[before] === backslash) before -= 1;
  return ((end - 1 - before) & 1) === 1;
};

const nextQuote = (from: number): number => {
  const at = body.indexOf(quote, from);
  if (at === -1) throw invalid;
  return at;
};

/** Most strings are short, and a check byte by byte is cheaper than a native search. */
const nearBytes = 48;

/** From an opening quote to just behind the closing one. */
const skipString = (from: number): number => {
  let at = from + 1;
  for (;;) {
    const near = Math.min(at + nearBytes, body.length);
    while (at < near) {
      const byte = body[at];
      if (byte === quote) {
        noteMark(from + 1, at);
        return at + 1;
      }
      at += byte === backslash ? 2 : 1;
    }
    const end = nextQuote(at);
    if (!isEscaped(at, end)) {
      noteString(from + 1, end);
      return end + 1;
    }
    at = end + 1;
  }
};

const skipDigits = (from: number): number => {
  let at = from;
  for (;;) {
    const byte = body[at];
    if (byte === undefined || byte < zero || byte > nine) break;
    at += 1;
  }
  if (at === from) throw invalid;
  return at;
};

const skipNumber = (from: number): number => {
  let at = body[from] === minus ? from + 1 : from;
  at = body[at] === zero ? at + 1 : skipDigits(at);
  if (body[at] === dot) at = skipDigits(at + 1);
  const exponent = body[at];
  if (exponent === 0x65 || exponent === 0x45) {
    const sign = body[at + 1];
    at = skipDigits(sign === 0x2b || sign === minus ? at + 2 : at + 1);
  }
  return at;
};

const skipWord = (from: number, word: string): number => {
  // Without a separate string for each: most bodies contain `true` or `false`.
  for (let at = 1; at < word.length; at += 1) {
    if (body[from + at] !== word.charCodeAt(at)) throw invalid;
  }
  return from + word.length;
};

const skipArray = (from: number, depth: number): number => {
  let at = skipSpace(from + 1);
  if (body[at] === closeBracket) return at + 1;
  for (;;) {
    at = skipSpace(skipValue(at, depth));
    const byte = body[at];
    if (byte === closeBracket) return at + 1;
    if (byte !== comma) throw invalid;
    at = skipSpace(at + 1);
  }
};

/** From the opening quote of a key to the first byte of its value. */
const skipKey = (from: number): number => {
  if (body[from] !== quote) throw invalid;
  const at = skipSpace(skipString(from));
  if (body[at] !== colon) throw invalid;
  return skipSpace(at + 1);
};

const skipObject = (from: number, depth: number): number => {
  let at = skipSpace(from + 1);
  if (body[at] === closeBrace) return at + 1;
  for (;;) {
    at = skipSpace(skipValue(skipKey(at), depth));
    const byte = body[at];
    if (byte === closeBrace) return at + 1;
    if (byte !== comma) throw invalid;
    at = skipSpace(at + 1);
  }
};

const skipValue = (from: number, depth: number): number => {
  if (depth > maxDepth) throw tooDeep;
  switch (body[from]) {
    case quote:
      return skipString(from);
    case openBrace:
      return skipObject(from, depth + 1);
    case openBracket:
      return skipArray(from, depth + 1);
    case 0x74:
      return skipWord(from, 'true');
    case 0x66:
      return skipWord(from, 'false');
    case 0x6e:
      return skipWord(from, 'null');
    default:
      return skipNumber(from);
  }
};

/** The name of the key at `keyStart`, whose raw bytes end with the quote before `keyEnd`. */
export const keyName = (keyStart: number, keyEnd: number): string => {
  const raw = body.toString('utf8', keyStart, keyEnd);
  if (!raw.includes('\\')) return raw.slice(1, -1);
  try {
    return String(JSON.parse(raw));
  } catch {
    throw invalid;
  }
};

type Visit = (keyEnd: number, member: Member) => void;

/** Members of the object whose brace opens at `from`; the offset of its closing brace. */
export const membersFrom = (from: number, visit: Visit): BodyEnds => {
  let at = from;
  if (body[at] !== openBrace) throw invalid;
  at = skipSpace(at + 1);
  const empty = body[at] === closeBrace;
  while (!empty) {
    const keyStart = at;
    if (body[at] !== quote) throw invalid;
    const keyEnd = skipString(at);
    const colonAt = skipSpace(keyEnd);
    if (body[colonAt] !== colon) throw invalid;
    const valueStart = skipSpace(colonAt + 1);
    const valueEnd = skipValue(valueStart, 1);
    visit(keyEnd, { keyStart, valueStart, valueEnd });
    at = skipSpace(valueEnd);
    if (body[at] === closeBrace) break;
    if (body[at] !== comma) throw invalid;
    at = skipSpace(at + 1);
  }
  return { close: at, empty };
};
export type BodyEnds = Readonly<{ close: number; empty: boolean }>;

export const eachMember = (visit: Visit): BodyEnds => {
  const ends = membersFrom(skipSpace(0), visit);
  if (skipSpace(ends.close + 1) !== body.length) throw invalid;
  return ends;
};

/** The insides of a body, or what is wrong with it. */
export const attempt = <T>(bytes: Buffer, work: () => T): T | Invalid => {
  body = bytes;
  blobBytes = 0;
  blobs = 0;
  pictures = 0;
  keptMarks = 0;
  try {
    return work();
  } catch (error) {
    if (error instanceof Invalid) return error;
    throw error;
  } finally {
    body = emptyBody;
  }
};
const emptyBody = body;

export const scanning = <T>(bytes: Buffer, work: () => T): T | null => {
  const found = attempt(bytes, work);
  return found instanceof Invalid ? null : found;
};
