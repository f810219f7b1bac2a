import { expect, test } from 'vitest';
import { isExpired, tokenStatus } from './token-status.ts';

const enabled = { isEnabled: true, expiredTime: -1, unlimitedQuota: false, remainQuota: 1 };

test('a token is valid through the second of its expiry and expired in the next', () => {
  expect(isExpired(1_000, 999)).toBe(false);
  expect(isExpired(1_000, 1_000)).toBe(false);
  expect(isExpired(1_000, 1_001)).toBe(true);
});

test('a token without expiry never expires', () => {
  expect(isExpired(-1, Number.MAX_SAFE_INTEGER)).toBe(false);
});

test('disabled wins over expired, expired over exhausted', () => {
  expect(tokenStatus(enabled, 1_000)).toBe(1);
  expect(tokenStatus({ ...enabled, remainQuota: 0 }, 1_000)).toBe(4);
  expect(tokenStatus({ ...enabled, remainQuota: 0, unlimitedQuota: true }, 1_000)).toBe(1);
  expect(tokenStatus({ ...enabled, remainQuota: 0, expiredTime: 999 }, 1_000)).toBe(3);
  expect(tokenStatus({ ...enabled, isEnabled: false, expiredTime: 999 }, 1_000)).toBe(2);
});
