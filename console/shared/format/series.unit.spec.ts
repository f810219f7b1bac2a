import { expect, test } from 'vitest';
import { colourIn, seriesOf } from './series.ts';

const names = (count: number) => Array.from({ length: count }, (_, at) => `model-${at + 1}`);

test('twelve names have twelve colours, in the order of their rank', () => {
  const series = seriesOf(names(12), 'Other');
  expect(series.map(({ colour }) => colour)).toEqual(
    Array.from({ length: 12 }, (_, at) => `var(--series-${at + 1})`),
  );
});

test('the thirteenth and later are one series', () => {
  const series = seriesOf(names(15), 'Other');
  expect(series).toHaveLength(13);
  expect(series[12]).toEqual({
    name: 'Other',
    colour: 'var(--series-other)',
    members: ['model-13', 'model-14', 'model-15'],
  });
  expect(colourIn(series, 'model-2')).toBe('var(--series-2)');
  expect(colourIn(series, 'model-14')).toBe('var(--series-other)');
});
