import { expect, test } from 'vitest';
import { jsonFault } from './json-fault.ts';

test.each([
  ['{}'],
  ['[]'],
  [' { "a" : [ 1, -2.5e3, true, null, "x\\n\\u00e9" ], "b": {"c": {}} } '],
  ['"text"'],
  ['0'],
])('%s is JSON, as it is to JSON.parse', (text) => {
  expect(() => JSON.parse(text)).not.toThrow();
  expect(jsonFault(text)).toBeNull();
});

test.each([
  ['', { line: 1, expected: 'value' }],
  ['{"a": 1,}', { line: 1, expected: 'name' }],
  ['{\n  "a": 1\n  "b": 2\n}', { line: 3, expected: 'object-end' }],
  ['{\n  "a" 1\n}', { line: 2, expected: 'colon' }],
  ['{"a":\n}', { line: 2, expected: 'value' }],
  ['{"a": 01}', { line: 1, expected: 'value' }],
  ['{"a": .5}', { line: 1, expected: 'value' }],
  ["{'a': 1}", { line: 1, expected: 'name' }],
  ['{"a: 1}', { line: 1, expected: 'quote' }],
  ['{"a": "x\n"}', { line: 1, expected: 'quote' }],
  ['["a" "b"]', { line: 1, expected: 'list-end' }],
  ['["a",]', { line: 1, expected: 'value' }],
  ['{"a": 1', { line: 1, expected: 'object-end' }],
  ['{} x', { line: 1, expected: 'end' }],
])(
  '%s is refused by JSON.parse too, and the line and what belongs there are named',
  (text, fault) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(jsonFault(text)).toEqual(fault);
  },
);

test('a name that an object has twice is found, which JSON.parse is silent about', () => {
  const text = '{\n"gpt": 1,\n"o1": 2,\n"\\u0067pt": 3}';
  expect(JSON.parse(text)).toEqual({ gpt: 3, o1: 2 });
  expect(jsonFault(text)).toEqual({ line: 4, expected: 'single-name', name: 'gpt' });
  expect(jsonFault('[{"a":1},{"a":2}]')).toBeNull();
});

test('a text of many brackets is refused and does not exhaust the stack', () => {
  expect(jsonFault('['.repeat(50_000))).toMatchObject({ expected: 'value' });
});
