import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { Queue } from '../../../infra/ports/bus.ts';
import { patience, type Users } from './users.ts';

export const describeQueue = (users: Users): void => {
  const publishOneByOne = (queue: Queue<number>, partition: number, items: readonly number[]) =>
    Promise.all(items.map((item) => queue.publish(partition, [item])));

  test('items of a partition are delivered once each, in order, one handler at a time', async () => {
    const [publisher, keeper] = users();
    const seen: number[] = [];
    let running = 0;
    let mostRunning = 0;
    const stop = await keeper.queue<number>('usage').consume([1], async (items, partition) => {
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      await new Promise((resolve) => setImmediate(resolve));
      expect(partition).toBe(1);
      seen.push(...items);
      running -= 1;
    });
    const items = Array.from({ length: 300 }, (_, i) => i);
    await publishOneByOne(publisher.queue('usage'), 1, items);
    await vi.waitFor(() => expect(seen.length).toBeGreaterThanOrEqual(300), patience);
    expect(seen).toEqual(items);
    expect(mostRunning).toBe(1);
    await stop();
  });

  test('what is published before anybody consumes is delivered later', async () => {
    const [publisher, keeper] = users();
    const published = publishOneByOne(publisher.queue('usage'), 2, [1, 2, 3]);
    const seen: number[] = [];
    const stop = await keeper.queue<number>('usage').consume([2], async (items) => {
      seen.push(...items);
    });
    await published;
    await vi.waitFor(() => expect(seen).toEqual([1, 2, 3]), patience);
    await stop();
  });

  test('what a handler refuses is delivered again, in order, and delays no other partition', async () => {
    const [publisher, keeper] = users();
    const tries: number[][] = [];
    const others: number[] = [];
    let failures = 2;
    const stop = await keeper.queue<number>('usage').consume([3, 4], async (items, partition) => {
      if (partition === 4) {
        others.push(...items);
        return;
      }
      tries.push([...items]);
      if (failures > 0) {
        failures -= 1;
        throw new Error('the books are shut for a moment');
      }
    });
    const queue = publisher.queue<number>('usage');
    await Promise.all([publishOneByOne(queue, 3, [1, 2, 3]), queue.publish(4, [9])]);
    await vi.waitFor(() => expect(tries.flat().at(-1)).toBe(3), patience);
    expect(tries[1]?.[0]).toBe(1);
    expect(tries.slice(2).flat()).toEqual([1, 2, 3]);
    await vi.waitFor(() => expect(others).toEqual([9]), patience);
    await stop();
  });

  test('what one consumer did not finish goes to the next, first things first', async () => {
    const [publisher, keeper] = users();
    const queue = publisher.queue<number>('usage');
    let refused: () => void = () => undefined;
    const wasRefused = new Promise<void>((resolve) => {
      refused = resolve;
    });
    const stopFirst = await keeper.queue<number>('usage').consume([5], async () => {
      refused();
      throw new Error('this keeper has lost its books');
    });
    const published = publishOneByOne(queue, 5, [1, 2, 3, 4, 5]);
    await wasRefused;
    await stopFirst();
    const seen: number[] = [];
    const stop = await publisher.queue<number>('usage').consume([5], async (items) => {
      seen.push(...items);
    });
    await published;
    await vi.waitFor(() => expect(seen.length).toBeGreaterThanOrEqual(5), patience);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    await stop();
  });

  test('stopping waits for the handler that is at work', async () => {
    const [publisher, keeper] = users();
    let begin: () => void = () => undefined;
    const began = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let finished = 0;
    const stop = await keeper.queue<number>('usage').consume([6], async (items) => {
      begin();
      await sleep(50);
      finished += items.length;
    });
    const published = publisher.queue<number>('usage').publish(6, [1, 2]);
    await began;
    await stop();
    expect(finished).toBe(2);
    await published;
  });

  test('a batch of many large items arrives whole', async () => {
    const [publisher, keeper] = users();
    const seen: string[] = [];
    const stop = await keeper.queue<string>('usage').consume([7], async (items) => {
      seen.push(...items);
    });
    const items = Array.from({ length: 400 }, (_, i) => `${i}:${'x'.repeat(8_000)}`);
    await publisher.queue<string>('usage').publish(7, items);
    await vi.waitFor(() => expect(seen.length).toBeGreaterThanOrEqual(400), patience);
    expect(seen).toEqual(items);
    await stop();
  });

  test('a partition is given to the newest consumer, and the one before is informed', async () => {
    const [publisher, keeper] = users();
    const queue = publisher.queue<number>('usage');
    const [before, after, lost, others]: number[][] = [[], [], [], []];
    const stopBefore = await keeper
      .queue<number>('usage')
      .consume(
        [8, 9],
        async (items, partition) => void (partition === 8 ? before : others)?.push(...items),
        { onLost: (partition) => void lost?.push(partition) },
      );
    await queue.publish(8, [1]);
    await vi.waitFor(() => expect(before).toEqual([1]), patience);
    const stop = await publisher
      .queue<number>('usage')
      .consume([8], async (items) => void after?.push(...items));
    await vi.waitFor(() => expect(lost).toEqual([8]), patience);
    await publishOneByOne(queue, 8, [2, 3]);
    await queue.publish(9, [4]);
    await vi.waitFor(() => expect([after?.slice(-2), others]).toEqual([[2, 3], [4]]), patience);
    await stopBefore();
    await queue.publish(8, [5]);
    await vi.waitFor(() => expect(after?.at(-1)).toBe(5), patience);
    expect([before, lost]).toEqual([[1], [8]]);
    await stop();
  });
};
