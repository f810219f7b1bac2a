import { expect, test } from 'vitest';
import { rangeOf } from './time-range.ts';

const at = new Date(2026, 2, 15, 13, 30).getTime() / 1000;
const seconds = (...parts: readonly [number, number, number?]) =>
  String(new Date(parts[0], parts[1], parts[2] ?? 1).getTime() / 1000);

test('ranges that reach to now end an hour ahead', () => {
  const end_timestamp = String(at + 3600);
  expect(rangeOf('15m', at)).toEqual({ start_timestamp: String(at - 900), end_timestamp });
  expect(rangeOf('today', at)).toEqual({ start_timestamp: seconds(2026, 2, 15), end_timestamp });
  expect(rangeOf('7d', at)).toEqual({ start_timestamp: String(at - 604_800), end_timestamp });
  expect(rangeOf('month', at)).toEqual({ start_timestamp: seconds(2026, 2), end_timestamp });
});

test('the last month ends with its last second, in January too', () => {
  const january = new Date(2026, 0, 31, 23).getTime() / 1000;
  expect(rangeOf('last-month', january)).toEqual({
    start_timestamp: seconds(2025, 11),
    end_timestamp: String(Number(seconds(2026, 0)) - 1),
  });
});

test('all time has no ends', () => {
  expect(rangeOf('all', at)).toEqual({ start_timestamp: '', end_timestamp: '' });
});
