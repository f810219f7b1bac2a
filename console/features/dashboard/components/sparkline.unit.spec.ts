import { expect, test } from 'vitest';
import { runsOf } from './sparkline.tsx';
import { granularityFor } from './use-dashboard-range.ts';

test('zero is drawn at the bottom, the highest value at the top, and what is missing is a gap', () => {
  const [first, second, ...rest] = runsOf([0, 10, null, 5]);
  expect(rest).toEqual([]);
  expect(first?.map(({ x }) => Math.round(x))).toEqual([0, 33]);
  expect(first?.map(({ y }) => y)).toEqual([26, 2]);
  expect(second?.map(({ x, y }) => [x, y])).toEqual([[100, 14]]);
});

test('fewer than two values are no line', () => {
  for (const values of [[], [null], [null, 3, null]]) expect(runsOf(values)).toEqual([]);
});

test('a longer range has wider bars', () => {
  const day = 86_400;
  expect([1, 2, 7, 31, 60].map((days) => granularityFor(days * day))).toEqual([
    'hour',
    'hour',
    'day',
    'day',
    'week',
  ]);
});
