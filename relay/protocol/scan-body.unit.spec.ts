import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type KnownKey, scanBody, scanMembers } from './scan-body.ts';
import { appendMembers, removeMember, replaceValue, splice, valueText } from './splice.ts';

const keys: readonly KnownKey[] = [
  'model',
  'stream',
  'max_tokens',
  'stream_options',
  'messages',
  'n',
];

const spaces = fc.constantFrom('', ' ', '\n', '\t  ', '\r\n');

/** JSON text with odd spacing, escapes and long strings, as clients and people write it. */
const jsonText = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.oneof(fc.constantFrom(...keys), fc.string({ maxLength: 8 })),
        fc.oneof(fc.jsonValue(), fc.string({ minLength: 40, maxLength: 400, unit: 'binary' })),
        fc.boolean(),
      ),
      { maxLength: 8 },
    ),
    spaces,
    spaces,
  )
  .map(([members, a, b]) => {
    const escaped = (text: string): string =>
      `"${[...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
    const name = (key: string, odd: boolean): string =>
      odd && /^[\x20-\x7e]*$/.test(key) ? escaped(key) : JSON.stringify(key);
    const texts = members.map(
      ([key, value, odd]) => `${a}${name(key, odd)}${b}:${a}${JSON.stringify(value)}${b}`,
    );
    return `${b}{${texts.join(',')}${a}}${b}`;
  });

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The result of the scan for the checked keys, in the terms of JSON.parse. */
const seen = (bytes: Buffer): Record<string, unknown> | null => {
  const scan = scanBody(bytes);
  if (scan === null) return null;
  return Object.fromEntries(
    Object.entries(scan.members).map(([key, member]) => [
      key,
      JSON.parse(valueText(bytes, member)),
    ]),
  );
};

const expected = (parsed: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    [
      'model',
      'stream',
      'stream_options',
      'max_tokens',
      'max_completion_tokens',
      'n',
      'messages',
      'prompt',
      'input',
      'group',
    ]
      .filter((key) => Object.hasOwn(parsed, key))
      .map((key) => [key, parsed[key]]),
  );

describe('the scan of a body', () => {
  test('reads what JSON.parse reads, last of equal keys first', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const parsed = JSON.parse(text) as Record<string, unknown>;
        fc.pre(scanBody(Buffer.from(text))?.lookalike === undefined);
        expect(seen(Buffer.from(text))).toEqual(expected(parsed));
      }),
      { numRuns: 500 },
    );
  });

  test('refuses only what JSON.parse refuses, and reads damaged bodies no other way', () => {
    fc.assert(
      fc.property(
        jsonText,
        fc.nat(),
        fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '1', '\\', 'e', ' '),
        (text, at, put) => {
          const place = at % Math.max(text.length, 1);
          const bytes = Buffer.from(text.slice(0, place) + put + text.slice(place + 1));
          const damaged = bytes.toString();
          const parsed = parse(damaged);
          const scan = scanBody(bytes);
          fc.pre(scan?.lookalike === undefined);
          if (isObject(parsed)) expect(seen(bytes)).toEqual(expected(parsed));
          else if (scan !== null) {
            // What passes although it is not JSON is damaged inside a string alone.
            const withoutStrings = damaged.replace(/"(?:[^"\\]|\\[\s\S])*"/g, '""');
            expect(isObject(parse(withoutStrings.replace(/""\s*:/g, '"k":')))).toBe(true);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test.each([
    '',
    ' ',
    '[]',
    '"x"',
    'null',
    '{',
    '{"a"}',
    '{"a":1,}',
    '{,}',
    '{"a":01}',
    '{"a":1}x',
    '{"a":.5}',
    '{"a":[1,]}',
    '{"a":tru}',
    '{"a":"x}',
    '\ufeff{}',
  ])('refuses %j', (text) => expect(scanBody(Buffer.from(text))).toBeNull());

  test('survives any depth', () => {
    expect(scanBody(Buffer.from(`{"a":${'['.repeat(100_000)}`))).toBeNull();
  });

  test('separates pictures from text', () => {
    const picture = `data:image/png;base64,${'iVBORw0KGgo'.repeat(2_000)}`;
    const scan = scanBody(
      Buffer.from(JSON.stringify({ messages: [picture, 'word '.repeat(4_000)] })),
    );
    expect(scan?.blobs).toBe(1);
    expect(scan?.blobBytes).toBe(picture.length);
  });

  const printed = 'iVBORw0KGgo'.repeat(2_000);
  test.each([
    ['a text', { messages: [{ content: printed }] }, 0],
    ['a text part', { messages: [{ content: [{ type: 'text', text: printed }] }] }, 0],
    ['arguments', { tool_calls: [{ function: { arguments: printed } }] }, 0],
    ['one of many prompts', { prompt: ['one', printed] }, 0],
    ['a picture of Claude', { source: { type: 'base64', data: printed } }, 1],
    ['a picture of Gemini', { inlineData: { data: printed } }, 1],
    ['a file', { file: { file_data: `data:application/pdf;base64,${printed}` } }, 1],
  ])('takes base64 for the content: %s', (_what, body, blobs) => {
    for (const indent of [0, 2]) {
      const text = JSON.stringify(body, null, indent);
      expect(scanBody(Buffer.from(text))?.blobs).toBe(blobs);
    }
  });

  test('takes a name that is written with escapes for one of words', () => {
    const body = Buffer.from(`{"te\\u0078t":"${printed}"}`);
    expect(scanBody(body)?.blobs).toBe(0);
  });
});

describe('a splice', () => {
  test('replaces, adds and removes members and leaves every other value alone', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const bytes = Buffer.from(text);
        const scan = scanBody(bytes);
        const members = scanMembers(bytes);
        fc.pre(scan?.lookalike === undefined);
        if (scan === null || scan.duplicates || members === null) return;
        const parsed = JSON.parse(text) as Record<string, unknown>;
        const { model, n } = scan.members;
        const edits = [appendMembers(scan, [['added', '1']])];
        const wanted: { model?: unknown; [key: string]: unknown } = { ...parsed, added: 1 };
        if (model !== undefined) {
          edits.push(replaceValue(model, '"other"'));
          wanted.model = 'other';
        }
        expect(JSON.parse(splice(bytes, edits).toString())).toEqual(wanted);
        if (n === undefined) return;
        const { n: _removed, ...rest } = parsed;
        expect(JSON.parse(splice(bytes, [removeMember(bytes, n)]).toString())).toEqual(rest);
      }),
      { numRuns: 300 },
    );
  });
});
