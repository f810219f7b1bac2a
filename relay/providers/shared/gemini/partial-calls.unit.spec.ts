import { expect, test } from 'vitest';
import { sseText, translating } from '../../../../tests/support/vectors/translating.ts';
import type { JsonObject } from '../../../protocol/canonical.ts';
import { gemini } from '../../gemini/translate.ts';

const google = translating(gemini, 24);
const asked = { body: { model: 'gemini-3-flash', messages: [], stream: true } };

const event = (parts: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
});
const piece = (functionCall: JsonObject, more: JsonObject = {}): JsonObject =>
  event([{ functionCall, ...more }]);
const text = (jsonPath: string, stringValue: string, willContinue = true): JsonObject => ({
  partialArgs: [{ jsonPath, stringValue, ...(willContinue ? { willContinue } : {}) }],
  willContinue: true,
});
const last = event([{ text: '' }], { finishReason: 'STOP' });

const callsOf = (events: readonly JsonObject[]): readonly (readonly [unknown, JsonObject])[] => {
  const { produced } = google.streamed(sseText(events), asked);
  const calls = Object.values(produced.choices[0]?.calls ?? {});
  return calls.map(({ name, arguments: text }) => [name, JSON.parse(text)]);
};

test('a call that arrives in pieces is one call with all of its arguments', () => {
  const events = [
    piece({ name: 'order', willContinue: true }, { thoughtSignature: 'cHJvb2Y=' }),
    piece(text('$.dishes[0].name', 'Bor')),
    piece(text('$.dishes[0].name', 'schtsch', false)),
    piece({
      partialArgs: [
        { jsonPath: '$.dishes[0].price', numberValue: 4.5 },
        { jsonPath: "$.dishes[1]['is hot']", boolValue: true },
        { jsonPath: '$.note', nullValue: 'NULL_VALUE' },
      ],
      willContinue: true,
    }),
    piece({}),
    last,
  ];
  expect(callsOf(events)).toEqual([
    ['order', { dishes: [{ name: 'Borschtsch', price: 4.5 }, { 'is hot': true }], note: null }],
  ]);
});

test('calls in pieces follow each other and calls in one piece', () => {
  const events = [
    piece({ name: 'now' }),
    piece({ name: 'read', willContinue: true }),
    piece(text('$.id', 'A')),
    piece({}),
    piece({ name: 'read', willContinue: true }),
    piece({ partialArgs: [{ jsonPath: '$.id', stringValue: 'B' }] }),
    last,
  ];
  expect(callsOf(events)).toEqual([
    ['now', {}],
    ['read', { id: 'A' }],
    ['read', { id: 'B' }],
  ]);
});

test('a call without its last piece is written when the answer ends', () => {
  const events = [piece({ name: 'read', willContinue: true }), piece(text('$.id', 'A')), last];
  expect(callsOf(events)).toEqual([['read', { id: 'A' }]]);
});

test.each([
  ['a place far beyond the end of a list', '$.a[999999999]'],
  ['a path of a thousand steps', `$${'.a'.repeat(1_000)}`],
  ['a path that is none', 'a b'],
])('%s is left out', (_name, path) => {
  const events = [
    piece({ name: 'read', willContinue: true }),
    piece(text(path, 'x')),
    piece(text('$.id', 'A')),
    piece({}),
    last,
  ];
  const [, args = {}] = callsOf(events)[0] ?? [];
  expect(args.id).toBe('A');
  expect(JSON.stringify(args).length).toBeLessThan(40);
});

test('the names of members that objects have of themselves are plain members', () => {
  const events = [
    piece({ name: 'read', willContinue: true }),
    piece(text('$.__proto__.isAdmin', 'yes')),
    piece({}),
    last,
  ];
  const [, args] = callsOf(events)[0] ?? [];
  expect(JSON.stringify(args)).toBe('{"__proto__":{"isAdmin":"yes"}}');
  expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false);
});
