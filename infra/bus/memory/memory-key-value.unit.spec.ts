import { expect, test } from 'vitest';
import { createMemoryKeyValue } from './memory-key-value.ts';

const aBucket = (maxEntries = 1_000, maxChars = 1_000) => {
  let nowMs = Date.UTC(2026, 0, 1);
  const bucket = createMemoryKeyValue({
    ttlSeconds: 60,
    clock: () => new Date(nowMs),
    maxEntries,
    maxChars,
  });
  const passSeconds = (seconds: number): void => {
    nowMs += seconds * 1_000;
  };
  return { bucket, passSeconds };
};

test('a value is kept for its time and not longer', async () => {
  const { bucket, passSeconds } = aBucket();
  await bucket.put('a', 1);
  passSeconds(59);
  expect(await bucket.get('a')).toBe(1);
  passSeconds(1);
  expect(await bucket.get('a')).toBeNull();
  expect(await bucket.remove('a')).toBe(false);
  expect(await bucket.create('a', 2)).toBe(true);
});

test('a write restarts the time, an increment does not', async () => {
  const { bucket, passSeconds } = aBucket();
  await bucket.put('written', 1);
  await bucket.increment('counted', 1);
  passSeconds(40);
  await bucket.put('written', 2);
  expect(await bucket.increment('counted', 1)).toBe(2);
  passSeconds(40);
  expect(await bucket.get('written')).toBe(2);
  expect(await bucket.increment('counted', 1)).toBe(1);
});

test('the oldest entries go first when the bucket is full', async () => {
  const { bucket } = aBucket(2);
  await bucket.put('a', 1);
  await bucket.put('b', 1);
  await bucket.put('a', 2);
  await bucket.put('c', 1);
  expect(await bucket.get('b')).toBeNull();
  expect(await bucket.get('a')).toBe(2);
  expect(await bucket.get('c')).toBe(1);
});

test('the oldest entries go first when what they hold is too much', async () => {
  const { bucket } = aBucket(1_000, 100);
  for (const key of ['a', 'b', 'a', 'c']) await bucket.put(key, 'x'.repeat(38));
  expect(await bucket.get('b')).toBeNull();
  expect(await bucket.get('a')).toHaveLength(38);
  await bucket.remove('a');
  await bucket.put('d', 'x'.repeat(38));
  expect(await bucket.get('c')).toHaveLength(38);
});

test('what was put in cannot be changed from outside', async () => {
  const { bucket } = aBucket();
  const value = { tries: 1 };
  await bucket.put('a', value);
  value.tries = 2;
  expect(await bucket.get('a')).toEqual({ tries: 1 });
});

test('only a number can be counted up', async () => {
  const { bucket } = aBucket();
  await bucket.put('a', 'text');
  await expect(bucket.increment('a', 1)).rejects.toThrow(TypeError);
});
