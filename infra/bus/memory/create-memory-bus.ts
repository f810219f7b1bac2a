import type { Bus, Feed, FeedName, KeyValue, Queue } from '../../ports/bus.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Timers } from '../../ports/timers.ts';
import { nodeClock } from '../../system/clock.ts';
import { nodeTimers } from '../../system/timers.ts';
import { createMemoryFeed } from './memory-feed.ts';
import { createMemoryKeyValue } from './memory-key-value.ts';
import { createMemoryMessages } from './memory-messages.ts';
import { createMemoryQueue } from './memory-queue.ts';

type Bucket = Readonly<{ ttlSeconds: number; store: KeyValue }>;

/** The bus of a single machine: everything in the memory of the process that holds it. */
export const createMemoryBus = (
  options: Readonly<{ logger: Logger; clock?: Clock; timers?: Timers }>,
): Bus => {
  const { logger, clock = nodeClock, timers = nodeTimers } = options;
  const feeds = new Map<FeedName, Feed<unknown>>();
  const buckets = new Map<string, Bucket>();
  const usage = createMemoryQueue<unknown>({ name: 'usage', logger, timers });

  const feed = (name: FeedName): Feed<unknown> => {
    const known = feeds.get(name) ?? createMemoryFeed<unknown>(logger.child({ feed: name }));
    feeds.set(name, known);
    return known;
  };

  const bucket = (name: string, ttlSeconds: number): KeyValue => {
    const known = buckets.get(name) ?? {
      ttlSeconds,
      store: createMemoryKeyValue({ ttlSeconds, clock }),
    };
    buckets.set(name, known);
    if (known.ttlSeconds !== ttlSeconds)
      throw new Error(`bucket ${name} exists with a different expiry`);
    return known.store;
  };

  return {
    ...createMemoryMessages(logger, timers),
    feed: <T>(name: FeedName) => feed(name) as Feed<T>,
    // What is in memory is gone with the processes that put it.
    onFeedLoss: () => () => undefined,
    queue: <T>() => usage as Queue<T>,
    keyValue: (name, { ttlSeconds }) => bucket(name, ttlSeconds),
    close: () => usage.close(),
  };
};
