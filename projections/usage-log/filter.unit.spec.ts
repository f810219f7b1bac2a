import { expect, test } from 'vitest';
import { depthOf, splitRange } from './filter.ts';

const all = {
  type: 0,
  start: 0,
  end: 0,
  userId: 0,
  username: '',
  tokenName: '',
  modelName: '',
  group: '',
  channel: 0,
};

test('whole hours come from the sums and the cut ends from the entries', () => {
  expect(splitRange({ start: 3_000, end: 12_000 })).toEqual({
    head: { from: 3_000, to: 3_599 },
    hours: { from: 3_600, to: 7_200 },
    tail: { from: 10_800, to: 12_000 },
  });
});

test('a range of exactly one hour needs no entries', () => {
  expect(splitRange({ start: 3_600, end: 7_199 })).toEqual({
    head: null,
    hours: { from: 3_600, to: 3_600 },
    tail: null,
  });
});

test('a range inside an hour, or over one border, is read from the entries', () => {
  expect(splitRange({ start: 10, end: 20 })).toEqual({
    head: null,
    hours: null,
    tail: { from: 10, to: 20 },
  });
  expect(splitRange({ start: 3_000, end: 4_000 })).toEqual({
    head: { from: 3_000, to: 3_599 },
    hours: null,
    tail: { from: 3_600, to: 4_000 },
  });
});

test('every second of a range is counted once', () => {
  for (let start = 1; start < 11_000; start += 977) {
    for (let end = start + 1; end < 22_000; end += 1_301) {
      const { head, hours, tail } = splitRange({ start, end });
      const seconds = (part: { from: number; to: number } | null, extra = 0) =>
        part === null ? 0 : part.to - part.from + 1 + extra;
      expect(seconds(head) + seconds(hours, 3_599) + seconds(tail)).toBe(end - start + 1);
    }
  }
});

test('the sums are no deeper than the filter', () => {
  expect(depthOf(all)).toBe('site_hours');
  expect(depthOf({ ...all, userId: 7, type: 2 })).toBe('user_hours');
  expect(depthOf({ ...all, userId: 7, modelName: 'gpt%' })).toBe('facet_hours');
  expect(depthOf({ ...all, channel: 3, type: 2 })).toBe('facet_hours');
  expect(depthOf({ ...all, username: 'ann', modelName: 'gpt%' })).toBe('hours');
});
