import { describe, expect, test } from 'vitest';
import { pointsOf, stretchBefore } from './overview.ts';
import { quantile, timedCalls, timingsOf } from './timings.ts';

const each = (...values: number[]) => values.map((value) => ({ value, weight: 1 }));

describe('durations', () => {
  test('half of the calls took no longer than the median', () => {
    expect(quantile(each(500, 100, 300, 200, 400), 0.5)).toBe(300);
    expect(quantile(each(100, 200), 0.5)).toBe(100);
  });

  test('one slow call in twenty is the 95th percentile of twenty-one', () => {
    const calls = [...Array.from({ length: 19 }, () => 100), 9_000, 9_000];
    expect(quantile(each(...calls), 0.95)).toBe(9_000);
    expect(quantile(each(...calls), 0.9)).toBe(100);
  });

  test('a busy hour counts for more than a quiet one of which as many calls were read', () => {
    const row = (duration_ms: number) => ({ at: 0, duration_ms, first_ms: null });
    const busy = timedCalls([row(100), row(100)], 2_000);
    const quiet = timedCalls([row(900), row(900)], 2);
    expect(timingsOf([...busy, ...quiet])).toEqual({
      median_ms: 100,
      p95_ms: 100,
      first_token_ms: null,
    });
  });

  test('no calls have no durations', () => {
    expect(timingsOf([])).toEqual({ median_ms: null, p95_ms: null, first_token_ms: null });
  });
});

describe('a range', () => {
  const hour = 3_600;

  test('is cut at whole hours into at most 32 points without gaps', () => {
    for (const hours of [1, 24, 32, 33, 720]) {
      const range = { from: 100 * hour + 60, to: (100 + hours) * hour - 1 };
      const points = pointsOf(range);
      expect(points.length).toBeLessThanOrEqual(32);
      expect(points[0]?.from).toBe(range.from);
      expect(points.at(-1)?.to).toBe(range.to);
      for (const [at, point] of points.entries()) {
        if (at > 0) expect(point.from % hour).toBe(0);
        expect(points[at - 1]?.to ?? point.from - 1).toBe(point.from - 1);
      }
    }
  });

  test('is compared with as many seconds just before it', () => {
    expect(stretchBefore({ from: 1_000, to: 1_599 })).toEqual({ from: 400, to: 999 });
  });
});
