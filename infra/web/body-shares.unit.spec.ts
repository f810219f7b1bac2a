import { expect, test } from 'vitest';
import { createBodyShares } from './body-shares.ts';

const megabyte = 1024 * 1024;

test('one client holds a sixteenth at most, and others find the rest', () => {
  const shares = createBodyShares(32 * megabyte);
  const [greedy, other] = [shares.of('203.0.113.1'), shares.of('203.0.113.2')];
  expect(greedy.take(2 * megabyte, 0)).toBe(true);
  expect(shares.of('203.0.113.1').take(1, 0)).toBe(false);
  expect(other.take(megabyte, 0)).toBe(true);
  expect(shares.used()).toBe(3 * megabyte);
  greedy.give(2 * megabyte);
  expect([greedy.used(), other.used(), shares.used()]).toEqual([0, megabyte, megabyte]);
  expect(greedy.take(2 * megabyte, 0)).toBe(true);
});

test('all clients together hold no more than there is', () => {
  const shares = createBodyShares(megabyte);
  expect(shares.of('a').take(800_000, 0)).toBe(true);
  expect(shares.of('b').take(800_000, 0)).toBe(false);
  expect(shares.of('b').used()).toBe(0);
});
