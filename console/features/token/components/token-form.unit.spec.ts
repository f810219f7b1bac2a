import { expect, test } from 'vitest';
import { blankToken, never, problemOf } from './token-form.ts';

test('the expiry of a token is a time, or none for a token without end', () => {
  const withExpiry = (expired_time: number) =>
    problemOf({ ...blankToken, name: 'web', expired_time }, 1);
  expect(withExpiry(Number.NaN)).toBe('expiry-wrong');
  expect(withExpiry(1_900_000_000)).toBeNull();
  expect(withExpiry(never)).toBeNull();
});
