import { BusUnavailableError, type Queue, type Stop } from '../../ports/bus.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Timers } from '../../ports/timers.ts';
import { untilDone } from '../retry.ts';

type Handler<T> = (items: readonly T[], partition: number) => Promise<void>;
type Waiting<T> = Readonly<{
  items: readonly T[];
  resolve: () => void;
  reject: (error: Error) => void;
}>;
type Consumer<T> = {
  readonly handler: Handler<T>;
  readonly onLost: (partition: number) => void;
  readonly stopping: AbortController;
  working: Promise<void> | null;
};
type Partition<T> = {
  id: number;
  waiting: Waiting<T>[];
  consumer: Consumer<T> | null;
  running: Promise<void> | null;
};

/** One call of the handler takes what has piled up, to about this many items. */
const itemsPerCall = 1_024;
/** A publisher that does not wait for its batches is turned away beyond this many items. */
const defaultMaxWaitingItems = 200_000;

export type MemoryQueue<T> = Queue<T> & Readonly<{ close: () => Promise<void> }>;

/** The batches that the next call of the handler takes, at least one. */
const nextBatches = <T>(waiting: readonly Waiting<T>[]): readonly Waiting<T>[] => {
  let count = 0;
  let items = 0;
  for (const batch of waiting) {
    if (count > 0 && items + batch.items.length > itemsPerCall) break;
    count += 1;
    items += batch.items.length;
  }
  return waiting.slice(0, count);
};

/**
 * Nothing is stored: `publish` resolves when the consumer has handled the items, and waits while
 * there is none. What a crash loses is still in the journal of the publisher.
 */
export const createMemoryQueue = <T>(
  options: Readonly<{ name: string; logger: Logger; timers: Timers; maxWaitingItems?: number }>,
): MemoryQueue<T> => {
  const { name, logger, timers, maxWaitingItems = defaultMaxWaitingItems } = options;
  const partitions = new Map<number, Partition<T>>();
  let waitingItems = 0;
  let closed = false;

  const partitionOf = (id: number): Partition<T> => {
    const known = partitions.get(id);
    if (known !== undefined) return known;
    const created: Partition<T> = { id, waiting: [], consumer: null, running: null };
    partitions.set(id, created);
    return created;
  };

  const handleNext = async (partition: Partition<T>, consumer: Consumer<T>): Promise<void> => {
    const batches = nextBatches(partition.waiting);
    const [only] = batches;
    const items =
      batches.length === 1 && only !== undefined ? only.items : batches.flatMap((b) => b.items);
    const done = await untilDone(() => consumer.handler(items, partition.id), {
      signal: consumer.stopping.signal,
      timers,
      onFailure: (err, attempt) =>
        logger.error({ err, queue: name, partition: partition.id, attempt }, 'consumer failed'),
    });
    if (!done) return;
    partition.waiting.splice(0, batches.length);
    waitingItems -= items.length;
    for (const batch of batches) batch.resolve();
  };

  const run = async (partition: Partition<T>, consumer: Consumer<T>): Promise<void> => {
    while (partition.waiting.length > 0 && !consumer.stopping.signal.aborted) {
      await handleNext(partition, consumer);
    }
    partition.running = null;
  };

  const wake = (partition: Partition<T>): void => {
    if (partition.consumer === null || partition.running !== null) return;
    if (partition.waiting.length === 0) return;
    const { consumer } = partition;
    partition.running = Promise.resolve().then(() => run(partition, consumer));
    consumer.working = partition.running;
  };

  /**
   * The consumer before it ends: it is informed once its handler is done, and only then the next
   * begins.
   */
  const giveTo = (partition: Partition<T>, consumer: Consumer<T>): void => {
    const before = partition.consumer;
    partition.consumer = consumer;
    before?.stopping.abort();
    void Promise.resolve(before?.working).then(() => {
      before?.onLost(partition.id);
      wake(partition);
    });
  };

  const release = async (partition: Partition<T>, consumer: Consumer<T>): Promise<void> => {
    consumer.stopping.abort();
    await consumer.working;
    if (partition.consumer === consumer) partition.consumer = null;
  };

  return {
    publish: (id, items) => {
      if (closed || waitingItems + items.length > maxWaitingItems) {
        return Promise.reject(new BusUnavailableError(`${name}.${id}`));
      }
      if (items.length === 0) return Promise.resolve();
      waitingItems += items.length;
      const partition = partitionOf(id);
      return new Promise((resolve, reject) => {
        partition.waiting.push({ items, resolve, reject });
        wake(partition);
      });
    },
    consume: async (ids, handler, { onLost = () => undefined } = {}): Promise<Stop> => {
      const taken = ids.map((id) => {
        const stopping = new AbortController();
        const consumer: Consumer<T> = { handler, onLost, stopping, working: null };
        const partition = partitionOf(id);
        giveTo(partition, consumer);
        return { partition, consumer };
      });
      return async () => {
        await Promise.all(taken.map(({ partition, consumer }) => release(partition, consumer)));
      };
    },
    close: async () => {
      closed = true;
      for (const partition of partitions.values()) {
        const { consumer } = partition;
        if (consumer !== null) await release(partition, consumer);
        for (const batch of partition.waiting.splice(0)) {
          batch.reject(new BusUnavailableError(`${name}.${partition.id}`));
        }
      }
      waitingItems = 0;
    },
  };
};
