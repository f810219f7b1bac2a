import { expect, test } from 'vitest';
import { type ZodType, z } from 'zod';
import { invalidInputMessage } from './invalid-input.ts';

const messageFor = (schema: ZodType, value: unknown): string => {
  const { error } = z.object({ amount: schema }).safeParse({ amount: value });
  return error === undefined ? '' : invalidInputMessage(error, 'en');
};

test('a limit that is itself not allowed is reported as such', () => {
  expect(messageFor(z.number().positive(), 0)).toBe('Invalid parameters: amount must be above 0');
  expect(messageFor(z.number().lt(10), 10)).toBe('Invalid parameters: amount must be below 10');
});

test('a limit that is allowed is reported as the minimum or the maximum', () => {
  expect(messageFor(z.number().min(1), 0)).toBe('Invalid parameters: amount must be at least 1');
  expect(messageFor(z.string().max(2), 'abc')).toBe(
    'Invalid parameters: amount must be at most 2 characters',
  );
});
