/** What a JSON text lacks, and where. */
export type JsonFault = Readonly<{
  /** From 1. */
  line: number;
  expected:
    | 'value'
    | 'name'
    | 'colon'
    | 'object-end'
    | 'list-end'
    | 'end'
    | 'quote'
    | 'single-name';
  /** The name that an object has twice. */
  name?: string;
}>;

type Reader = Readonly<{ text: string }> & { at: number };

const space = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them inside a string
const quoted = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
/** Deeper texts are left to `JSON.parse`. */
const maxDepth = 100;

const take = (reader: Reader, pattern: RegExp): string | null => {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0] ?? null;
  reader.at += found?.length ?? 0;
  return found;
};
const skip = (reader: Reader, sign: string): boolean => {
  take(reader, space);
  const isThere = reader.text.startsWith(sign, reader.at);
  if (isThere) reader.at += sign.length;
  return isThere;
};
const fault = (reader: Reader, expected: JsonFault['expected'], name?: string): JsonFault => ({
  line: reader.text.slice(0, reader.at).split('\n').length,
  expected,
  ...(name !== undefined && { name }),
});

const nameFault = (reader: Reader, names: Set<string>): JsonFault | null => {
  take(reader, space);
  const isQuote = reader.text[reader.at] === '"';
  const name = take(reader, quoted);
  if (name === null) return fault(reader, isQuote ? 'quote' : 'name');
  const plain = String(JSON.parse(name));
  if (names.has(plain)) return fault(reader, 'single-name', plain);
  names.add(plain);
  return skip(reader, ':') ? null : fault(reader, 'colon');
};

type Members = Readonly<{ close: '}' | ']'; expected: 'object-end' | 'list-end'; depth: number }>;

const membersFault = (reader: Reader, { close, expected, depth }: Members): JsonFault | null => {
  if (skip(reader, close)) return null;
  const names = new Set<string>();
  do {
    const wrong =
      (close === '}' ? nameFault(reader, names) : null) ?? valueFault(reader, depth + 1);
    if (wrong !== null) return wrong;
  } while (skip(reader, ','));
  return skip(reader, close) ? null : fault(reader, expected);
};

const valueFault = (reader: Reader, depth: number): JsonFault | null => {
  if (depth > maxDepth) return fault(reader, 'value');
  if (skip(reader, '{')) return membersFault(reader, { close: '}', expected: 'object-end', depth });
  if (skip(reader, '[')) return membersFault(reader, { close: ']', expected: 'list-end', depth });
  if (reader.text[reader.at] === '"') return take(reader, quoted) ? null : fault(reader, 'quote');
  return take(reader, scalar) ? null : fault(reader, 'value');
};

/** The first error in a JSON text, a repeated name included; null: none. */
export const jsonFault = (text: string): JsonFault | null => {
  const reader: Reader = { text, at: 0 };
  const wrong = valueFault(reader, 0);
  if (wrong !== null) return wrong;
  take(reader, space);
  return reader.at === text.length ? null : fault(reader, 'end');
};
