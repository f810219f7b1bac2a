import { expect, test } from 'vitest';
import { freeMemory } from './free-memory.ts';

test('memory that a buffer has alone is free at once, without a collection', () => {
  const buffers = Array.from({ length: 64 }, () => Buffer.alloc(1_048_576, 1));
  const before = process.memoryUsage().arrayBuffers;
  freeMemory(buffers);
  expect(buffers.map(({ length }) => length)).toEqual(buffers.map(() => 0));
  expect(before - process.memoryUsage().arrayBuffers).toBeGreaterThan(60 * 1_048_576);
});

test('parts of larger memory, and memory that threads share, stay as they are', () => {
  const memory = Buffer.alloc(100_000, 7);
  const part = memory.subarray(0, 99_999);
  const pooled = Buffer.from('a short text');
  const shared = Buffer.from(new SharedArrayBuffer(16));
  freeMemory([part, pooled, shared]);
  expect(part.every((byte) => byte === 7)).toBe(true);
  expect(String(pooled)).toBe('a short text');
  expect(shared).toHaveLength(16);
});
