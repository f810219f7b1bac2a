import { expect, test } from 'vitest';
import { BinaryRow } from '../../infra/postgres/copy-out.ts';
import { copyBinary } from './copy-binary.ts';

const columns = [
  { name: 'id', type: 'int8' },
  { name: 'text', type: 'text' },
  { name: 'on', type: 'bool' },
  { name: 'part', type: 'float8' },
];
const headerBytes = 19;
const written = (row: Readonly<Record<string, string | number | boolean | null>>) => {
  const bytes = copyBinary(columns, [row]);
  expect(bytes.readInt16BE(headerBytes)).toBe(columns.length);
  expect(bytes.readInt16BE(bytes.length - 2)).toBe(-1);
  const cells = new BinaryRow(bytes, headerBytes + 2);
  const [id, text, on] = [cells.int8(), cells.text(), cells.bool()];
  return { id, text, on, part: cells.bytes().readDoubleBE() };
};

test('a row is a count of cells, each behind its length', () => {
  const bytes = copyBinary(columns.slice(0, 3), [{ id: -2, text: 'ä', on: true }]);
  expect(bytes.subarray(0, headerBytes).toString('latin1')).toBe(
    `PGCOPY\n\xff\r\n\0${'\0'.repeat(8)}`,
  );
  expect(bytes.subarray(headerBytes).toString('hex')).toBe(
    ['0003', '00000008fffffffffffffffe', '00000002c3a4', '0000000101', 'ffff'].join(''),
  );
});

test('what is nothing has no length', () => {
  const bytes = copyBinary(columns.slice(0, 2), [{ id: null, text: null }]);
  expect(bytes.subarray(headerBytes).toString('hex')).toBe('0002ffffffffffffffffffff');
});

test.each([
  0,
  1,
  -1,
  2 ** 31,
  2 ** 32,
  -(2 ** 32),
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
])('the number %d is written as it is', (id) => {
  expect(written({ id, text: '', on: false, part: 0.1 })).toEqual({
    id,
    text: '',
    on: false,
    part: 0.1,
  });
});

test.each([1.5, Number.NaN, 2 ** 53])('the number %d is refused by an int8 column', (id) => {
  expect(() => copyBinary(columns, [{ id, text: '', on: true, part: 0 }])).toThrow(RangeError);
});

test('texts of any length are written, without their NULs', () => {
  const text = `tab\t line\n \\N \u0000模型 ${'é'.repeat(100_000)}`;
  expect(written({ id: 1, text, on: true, part: -1 }).text).toBe(text.replace('\u0000', ''));
});

test.each(['', 'gpt-4o', 'a\u0000b', 'naïve', '模型', 'x'.repeat(24), 'x'.repeat(25)])(
  'the text %j is written as it is',
  (text) => {
    const found = written({ id: 1, text, on: true, part: -1 }).text;
    expect(found).toBe(text.replace('\u0000', ''));
  },
);

test('many rows follow one another', () => {
  const rows = Array.from({ length: 3_000 }, (_, id) => ({ id, text: 'x'.repeat(id % 2_000) }));
  const bytes = copyBinary(columns.slice(0, 2), rows);
  let at = headerBytes;
  for (const { id, text } of rows) {
    const cells = new BinaryRow(bytes, at + 2);
    expect([cells.int8(), cells.text()]).toEqual([id, text]);
    at += 2 + 12 + 4 + text.length;
  }
  expect(bytes.length).toBe(at + 2);
});
