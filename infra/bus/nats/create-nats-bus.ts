import type { Bus, Feed, FeedName, KeyValue, Queue } from '../../ports/bus.ts';
import type { Clock } from '../../ports/clock.ts';
import { nodeClock } from '../../system/clock.ts';
import { createNatsFeed } from './nats-feed.ts';
import { createNatsKeyValue } from './nats-key-value.ts';
import { type NatsLink, type NatsOptions, openNatsLink } from './nats-link.ts';
import { createNatsMessages } from './nats-messages.ts';
import { createNatsQueue } from './nats-queue.ts';

/** Milliseconds that closing waits for what is still on its way. */
const drainTimeoutMs = 3_000;

const remembered = <Key, Value>(create: (key: Key) => Value): ((key: Key) => Value) => {
  const made = new Map<Key, Value>();
  return (key) => {
    const value = made.get(key) ?? create(key);
    made.set(key, value);
    return value;
  };
};

const close = async ({ connection, system: { timers } }: NatsLink): Promise<void> => {
  if (connection.isClosed()) return;
  const drained = connection.drain().catch(() => undefined);
  const isLate = new Promise<void>((resolve) => {
    timers.setTimeout(resolve, drainTimeoutMs).unref();
  });
  await Promise.race([drained, isLate]);
  await connection.close();
};

/**
 * The bus of the distributed mode, over NATS with JetStream. Streams and buckets are created when
 * absent. Reconnects for ever; meanwhile calls reject with BusUnavailableError.
 */
export const createNatsBus = async (
  options: NatsOptions & Readonly<{ clock?: Clock }>,
): Promise<Bus> => natsBusOver(await openNatsLink(options), options.clock ?? nodeClock);

/** The same over a connection that is open. */
export const natsBusOver = (link: NatsLink, clock: Clock): Bus => {
  const feed = remembered<FeedName, Feed<unknown>>((name) => createNatsFeed(link, name));
  const queue = remembered<string, Queue<unknown>>((name) => createNatsQueue(link, name));
  const keyValue = remembered<string, KeyValue>((id) => {
    const [bucket = '', ttlSeconds = ''] = id.split(':');
    return createNatsKeyValue(link, { bucket, ttlSeconds: Number(ttlSeconds), clock });
  });
  return {
    ...createNatsMessages(link),
    feed: <T>(name: FeedName) => feed(name) as Feed<T>,
    queue: <T>(name: 'usage') => queue(name) as Queue<T>,
    keyValue: (bucket, { ttlSeconds }) => keyValue(`${bucket}:${ttlSeconds}`),
    close: () => close(link),
  };
};
