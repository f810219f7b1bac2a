import { expect, test } from 'vitest';
import type { DataRow } from '../api/usage.ts';
import { bucketsOf, labelOf, sumsByModel, totalOf } from './series.ts';
import { granularityFor } from './use-dashboard-range.ts';

const seconds = (...parts: [number, number, number, number?]) => {
  const [year, month, day, hour = 0] = parts;
  return new Date(year, month - 1, day, hour).getTime() / 1000;
};
const aRow = (created_at: number, model_name: string, quota: number): DataRow => ({
  id: 0,
  user_id: 0,
  username: '',
  model_name,
  created_at,
  token_used: quota * 2,
  count: 1,
  quota,
});

test('bars are in the order of time across a new year, and a gap is filled up to seven', () => {
  const rows = [
    aRow(seconds(2026, 1, 2, 5), 'a', 5),
    aRow(seconds(2025, 12, 31, 9), 'b', 3),
    aRow(seconds(2026, 1, 2, 7), 'a', 2),
  ];
  const buckets = bucketsOf(rows, 'day');
  expect(buckets.map(({ label }) => label)).toEqual([
    '12-27',
    '12-28',
    '12-29',
    '12-30',
    '12-31',
    '01-01',
    '01-02',
  ]);
  expect(buckets.at(-1)?.quota.get('a')).toBe(7);
  expect(buckets[5]?.quota.size).toBe(0);
});

test('nothing used gives no bars', () => {
  expect(bucketsOf([], 'hour')).toEqual([]);
});

test('data older than the seven newest bars stays in view', () => {
  const rows = [aRow(seconds(2026, 3, 1), 'a', 1), aRow(seconds(2026, 3, 20), 'a', 1)];
  const labels = bucketsOf(rows, 'day').map(({ label }) => label);
  expect(labels).toHaveLength(8);
  expect(labels[0]).toBe('03-01');
});

test('an hour, a day and a week are named by their start, a week by its end too', () => {
  const monday = new Date(2026, 10, 16, 8);
  expect(labelOf(monday, 'hour')).toBe('11-16 08:00');
  expect(labelOf(monday, 'day')).toBe('11-16');
  expect(labelOf(monday, 'week')).toBe('11-16 - 11-22');
});

test('sums by model begin with the model called most', () => {
  const sums = sumsByModel([aRow(0, 'a', 5), aRow(0, 'b', 1), aRow(3600, 'b', 2)]);
  expect(sums).toEqual([
    { model: 'b', quota: 3, tokens: 6, count: 2 },
    { model: 'a', quota: 5, tokens: 10, count: 1 },
  ]);
  expect(totalOf(sums)).toEqual({ quota: 8, tokens: 16, count: 3 });
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
