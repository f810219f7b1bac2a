import { expect, test } from 'vitest';
import { rowsOf, ticksFromZero, withGaps } from './rows.ts';

test.each([
  [0.3, [0, 0.25, 0.5]],
  [1, [0, 0.5, 1]],
  [7, [0, 5, 10]],
  [1_100, [0, 1_000, 2_000]],
  [0, [0, 0.5, 1]],
])('an axis up to %d has round numbers', (highest, ticks) => {
  expect(ticksFromZero(highest)).toEqual(ticks);
});

test('a line without a value at a moment of another line has a gap there', () => {
  const lines = [
    [
      { at: 60, value: 5 },
      { at: 0, value: 0 },
    ],
    [{ at: 60, value: 7 }],
  ];
  expect(rowsOf(lines)).toEqual([
    { at: 0, values: [0, null] },
    { at: 60, values: [5, 7] },
  ]);
});

test('moments that are too far apart are not joined', () => {
  const rows = [0, 60, 300].map((at) => ({ at, values: [1] }));
  expect(withGaps(rows, 90).map(({ values }) => values)).toEqual([[1], [1], [], [1]]);
});
