import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoTime } from './iso-time.ts';

test('a time is written as a date writes it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (ms) => {
      expect(isoTime(ms)).toBe(new Date(ms).toISOString());
    }),
  );
});
