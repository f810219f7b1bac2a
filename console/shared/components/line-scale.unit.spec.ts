import { expect, test } from 'vitest';
import { nearest, pathOf, piecesOf, ticksFromZero } from './line-scale.ts';

const scale = { x: (at: number) => at, y: (value: number) => value };

test.each([
  [0.3, [0, 0.25, 0.5]],
  [1, [0, 0.5, 1]],
  [7, [0, 5, 10]],
  [1_100, [0, 1_000, 2_000]],
  [0, [0, 0.5, 1]],
])('an axis up to %d has round numbers', (highest, ticks) => {
  expect(ticksFromZero(highest)).toEqual(ticks);
});

test('what was not measured is a gap, and zero is drawn', () => {
  const points = [0, 1, null, 3].map((value, at) => ({ at, value }));
  expect(piecesOf(points, scale)).toEqual([
    [
      { x: 0, y: 0 },
      { x: 1, y: 1 },
    ],
    [{ x: 3, y: 3 }],
  ]);
});

test('moments that are further apart than they should be are a gap too', () => {
  const points = [0, 60, 300].map((at) => ({ at, value: 1 }));
  expect(piecesOf(points, scale, 90).map(({ length }) => length)).toEqual([2, 1]);
});

test('a step holds its value until the next one, a single point is a dot', () => {
  const piece = [
    { x: 0, y: 5 },
    { x: 10, y: 2 },
  ];
  expect(pathOf(piece, true)).toBe('M0.0 5.0H10.0V2.0');
  expect(pathOf(piece, false)).toBe('M0.0 5.0L10.0 2.0');
  expect(pathOf(piece.slice(0, 1), false)).toBe('M0.0 5.0h0.01');
});

test('the nearest point to a moment is found', () => {
  const points = [0, 60, 120].map((at) => ({ at, value: null }));
  expect(nearest(points, 80)).toBe(1);
  expect(nearest([], 80)).toBe(-1);
});
