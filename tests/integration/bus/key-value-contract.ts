import { expect, test, vi } from 'vitest';
import { patience, type Users } from './users.ts';

export const describeKeyValue = (users: Users): void => {
  const lasting = { ttlSeconds: 600 };

  test('a value is there for everybody until it is removed', async () => {
    const [one, two] = users();
    await one.keyValue('codes', lasting).put('mail:a@b.c', { code: '123456' });
    const other = two.keyValue('codes', lasting);
    expect(await other.get('mail:a@b.c')).toEqual({ code: '123456' });
    expect(await other.get('mail:b@b.c')).toBeNull();
    expect(await other.remove('mail:a@b.c')).toBe(true);
    expect(await one.keyValue('codes', lasting).get('mail:a@b.c')).toBeNull();
  });

  test('of many who create a key one succeeds, and so does one of many who remove it', async () => {
    const buckets = users().map((bus) => bus.keyValue('states', lasting));
    const tries = Array.from({ length: 10 }, (_, i) => buckets[i % 2] ?? buckets[0]);
    const created = await Promise.all(tries.map((bucket, i) => bucket?.create('once', i)));
    expect(created.filter(Boolean)).toHaveLength(1);
    const removed = await Promise.all(tries.map((bucket) => bucket?.remove('once')));
    expect(removed.filter(Boolean)).toHaveLength(1);
    expect(await buckets[0]?.create('once', 'again')).toBe(true);
  });

  test('a value is replaced only where it is still the one that was read', async () => {
    const buckets = users().map((bus) => bus.keyValue('states', lasting));
    const tries = Array.from({ length: 10 }, (_, i) => buckets[i % 2] ?? buckets[0]);
    expect(await buckets[0]?.replace('turn', { at: 0 }, { at: 1 })).toBe(false);
    await buckets[0]?.put('turn', { at: 0 });
    const replaced = await Promise.all(
      tries.map((bucket, i) => bucket?.replace('turn', { at: 0 }, { at: i + 1 })),
    );
    expect(replaced.filter(Boolean)).toHaveLength(1);
    expect(await buckets[1]?.get('turn')).toEqual({ at: replaced.indexOf(true) + 1 });
  });

  test('no increment is lost', async () => {
    const buckets = users().map((bus) => bus.keyValue('counters', lasting));
    const counts = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (buckets[i % 2] ?? buckets[0])?.increment('ip:::1', 2)),
    );
    expect(counts.toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 20 }, (_, i) => 2 * (i + 1)),
    );
    expect(await buckets[0]?.get('ip:::1')).toBe(40);
  });

  test('a value expires, and a rising count does not extend its time', async () => {
    const bucket = users()[0].keyValue('brief', { ttlSeconds: 1 });
    await bucket.put('value', 'x');
    expect(await bucket.get('value')).toBe('x');
    await bucket.increment('count', 10);
    await vi.waitFor(async () => {
      expect(await bucket.increment('count', 1)).toBeLessThan(10);
    }, patience);
    await vi.waitFor(async () => expect(await bucket.get('value')).toBeNull(), patience);
    expect(await bucket.create('value', 'y')).toBe(true);
  });
};
