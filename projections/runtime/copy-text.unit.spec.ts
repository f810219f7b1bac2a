import { expect, test } from 'vitest';
import { copyText } from './copy-text.ts';

const columns = [
  { name: 'id', type: 'int8' },
  { name: 'text', type: 'text' },
  { name: 'on', type: 'bool' },
];

test('a row is a line, its cells stand between tabs', () => {
  const rows = [
    { id: 1, text: 'a', on: true },
    { id: -2, text: null, on: false },
  ];
  expect(copyText(columns, rows)).toBe('1\ta\ttrue\n-2\t\\N\tfalse\n');
});

test('what has a meaning to COPY loses it, and NUL goes', () => {
  const rows = [{ id: 1, text: 'a\tb\nc\rd\\e\u0000f\\N\\.', on: true }];
  expect(copyText(columns, rows)).toBe('1\ta\\tb\\nc\\rd\\\\ef\\\\N\\\\.\ttrue\n');
});
