import { expect, test, vi } from 'vitest';
import { createLogger } from '../../logging/create-logger.ts';
import { BusUnavailableError } from '../../ports/bus.ts';
import { nodeTimers } from '../../system/timers.ts';
import { createMemoryQueue } from './memory-queue.ts';

const logger = createLogger({ level: 'silent', name: 'spec' });
const aQueue = (maxWaitingItems?: number) =>
  createMemoryQueue<number>({
    name: 'usage',
    logger,
    timers: nodeTimers,
    ...(maxWaitingItems === undefined ? {} : { maxWaitingItems }),
  });

test('batches that pile up while the handler works are handed over together', async () => {
  const queue = aQueue();
  const calls: number[][] = [];
  await queue.consume([0], async (items) => {
    calls.push([...items]);
    await new Promise((resolve) => setImmediate(resolve));
  });
  const first = queue.publish(0, [1]);
  await Promise.resolve();
  await Promise.resolve();
  await Promise.all([first, queue.publish(0, [2, 3]), queue.publish(0, [4])]);
  expect(calls).toEqual([[1], [2, 3, 4]]);
});

test('one call of the handler takes no more than it can append at once', async () => {
  const queue = aQueue();
  const sizes: number[] = [];
  const batch = Array.from({ length: 400 }, (_, i) => i);
  const published = Promise.all([1, 2, 3, 4].map(() => queue.publish(0, batch)));
  await queue.consume([0], async (items) => void sizes.push(items.length));
  await published;
  expect(sizes).toEqual([800, 800]);
});

test('a publisher is turned away when too much waits, and let in again afterwards', async () => {
  const queue = aQueue(3);
  const waiting = queue.publish(0, [1, 2]);
  await expect(queue.publish(1, [3, 4])).rejects.toThrow(BusUnavailableError);
  const stop = await queue.consume([0, 1], async () => undefined);
  await waiting;
  await queue.publish(1, [3, 4]);
  await stop();
});

test('a partition has one consumer at a time, the newest one', async () => {
  const queue = aQueue();
  const first: number[] = [];
  const second: number[] = [];
  const lost: number[] = [];
  let finish: () => void = () => undefined;
  const hang = async (items: readonly number[]): Promise<void> => {
    first.push(...items);
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
  };
  const stop = await queue.consume([0, 1], hang, { onLost: (id) => void lost.push(id) });
  const published = queue.publish(0, [0]);
  await vi.waitFor(() => expect(first).toEqual([0]));
  await queue.consume([0], async (items) => void second.push(...items));
  const later = queue.publish(0, [1]);
  await new Promise((resolve) => setImmediate(resolve));
  expect([second, lost]).toEqual([[], []]);
  finish();
  await Promise.all([published, later]);
  expect([first, second, lost]).toEqual([[0], [1], [0]]);
  await stop();
  await queue.publish(0, [2]);
  expect(second).toEqual([1, 2]);
});

test('closing informs publishers that their items were not taken', async () => {
  const queue = aQueue();
  const waiting = queue.publish(0, [1]);
  await Promise.all([expect(waiting).rejects.toThrow(BusUnavailableError), queue.close()]);
  await expect(queue.publish(0, [2])).rejects.toThrow(BusUnavailableError);
});

test('an empty batch needs no consumer', async () => {
  await aQueue().publish(0, []);
});
