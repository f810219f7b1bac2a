import { expect, test } from 'vitest';
import { asMarginRate, asPercent, asSeconds, changeOf, daysLeft, errorRate } from './change.ts';

test('a figure is compared in whole percent', () => {
  expect(changeOf(150, 100)).toEqual({ direction: 'up', percent: 50 });
  expect(changeOf(75, 100)).toEqual({ direction: 'down', percent: 25 });
  expect(changeOf(1_001, 1_000)).toEqual({ direction: 'same', percent: 0 });
});

test('where there was nothing before, no percentage is shown', () => {
  expect(changeOf(5, 0)).toEqual({ direction: 'up', percent: null });
  expect(changeOf(0, 0)).toEqual({ direction: 'same', percent: 0 });
  expect(changeOf(null, 100)).toBeNull();
});

test('a loss that became smaller is more, and one after nothing is less', () => {
  expect(changeOf(-50, -100)).toEqual({ direction: 'up', percent: 50 });
  expect(changeOf(-150, -100)).toEqual({ direction: 'down', percent: 50 });
  expect(changeOf(-5, 0)).toEqual({ direction: 'down', percent: null });
});

test('a margin is a share of the revenue whose cost is known', () => {
  expect(asMarginRate(352, 1_000)).toBe('35.2%');
  expect(asMarginRate(-125, 1_000)).toBe('-12.5%');
  expect(asMarginRate(-5, 0)).toBe('–');
});

test('a balance lasts as long as the pace of the period has it', () => {
  const aDayOfTen = { spent: 10, seconds: 86_400 };
  expect(daysLeft(55, aDayOfTen)).toBe(5.5);
  expect(daysLeft(0, aDayOfTen)).toBe(0);
  expect(daysLeft(-3, aDayOfTen)).toBe(0);
  expect(daysLeft(55, { spent: 0, seconds: 86_400 })).toBeNull();
  expect(daysLeft(10_000, aDayOfTen)).toBeNull();
});

test('durations and shares have as many places as distinguish them', () => {
  expect(asSeconds(840)).toBe('840 ms');
  expect(asSeconds(1_230)).toBe('1.23 s');
  expect(asSeconds(12_340)).toBe('12.3 s');
  expect(asSeconds(null)).toBe('–');
  expect(errorRate({ calls: 998, errors: 2 })).toBe(0.002);
  expect(errorRate({ calls: 0, errors: 0 })).toBe(0);
  expect([0, 0.0004, 0.002, 0.25].map(asPercent)).toEqual(['0%', '<0.1%', '0.2%', '25%']);
});
