import { expect, test } from 'vitest';
import { depthOf, grainsFor, type LogFilter, rangeOf } from './filter.ts';

const all: LogFilter = {
  type: 0,
  start: 0,
  end: 0,
  userId: 0,
  tokenIds: null,
  modelName: '',
  group: '',
  channel: 0,
};

test('the sums are no deeper than the filter', () => {
  expect(depthOf(all)).toBe('site_hours');
  expect(depthOf({ ...all, userId: 7, type: 2 })).toBe('user_hours');
  expect(depthOf({ ...all, userId: 7, modelName: 'gpt%' })).toBe('facet_hours');
  expect(depthOf({ ...all, channel: 3, type: 2 })).toBe('facet_hours');
  expect(depthOf({ ...all, tokenIds: [4, 5] })).toBe('facet_hours');
  expect(depthOf({ ...all, tokenIds: [4], modelName: 'gpt%' })).toBe('hours');
});

test('cut hours are summed by the minute where nothing but types and groups is requested', () => {
  const units = (changes: Partial<typeof all>) =>
    grainsFor({ ...all, ...changes }).map(({ unit }) => unit);
  expect(units({})).toEqual([3_600, 60]);
  expect(units({ type: 5, group: 'vip', start: 7 })).toEqual([3_600, 60]);
  for (const changes of [
    { userId: 7 },
    { tokenIds: [4] },
    { tokenIds: [] },
    { modelName: 'gpt%' },
    { group: 'vip', channel: 3 },
  ]) {
    expect(units(changes)).toEqual([3_600]);
  }
});

test('a range without an end is open', () => {
  expect(rangeOf({ start: 0, end: 0 })).toEqual({ from: 0, to: 253_402_300_799 });
  expect(rangeOf({ start: 30, end: 20 })).toEqual({ from: 30, to: 20 });
});
