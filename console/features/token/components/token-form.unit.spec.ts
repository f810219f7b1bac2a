import { expect, test } from 'vitest';
import { blankToken, expiryFrom, never, problemOf } from './token-form.ts';

test('the expiry of a token is a date, or nothing for a token without end', () => {
  const withExpiry = (text: string) =>
    problemOf({ ...blankToken, name: 'web', expired_time: expiryFrom(text) }, 1);
  expect(withExpiry('the day after')).toBe('expiry-wrong');
  expect(withExpiry('2030-13-45T10:00')).toBe('expiry-wrong');
  expect(withExpiry('2030-01-02T10:00')).toBeNull();
  expect(withExpiry('')).toBeNull();
  expect(expiryFrom('')).toBe(never);
});
