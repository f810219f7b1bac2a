import type { Bus, Feed, FeedName, Queue } from '../../ports/bus.ts';
import type { Clock } from '../../ports/clock.ts';
import { nodeClock } from '../../system/clock.ts';
import { createFeedLosses } from './feed-losses.ts';
import { createNatsFeed } from './nats-feed.ts';
import { createNatsKeyValue } from './nats-key-value.ts';
import { type NatsLink, type NatsOptions, openNatsLink } from './nats-link.ts';
import { createNatsMessages } from './nats-messages.ts';
import { createNatsQueue } from './nats-queue.ts';
import { keepProvided, type Provided } from './provide.ts';

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

type Parts = ReturnType<typeof partsOf>;

const partsOf = (link: NatsLink, clock: Clock) => {
  const bucketOf = remembered((id: string) => {
    const [bucket = '', ttlSeconds = ''] = id.split(':');
    return createNatsKeyValue(link, { bucket, ttlSeconds: Number(ttlSeconds), clock });
  });
  const losses = createFeedLosses(link);
  return {
    losses,
    feed: remembered((name: FeedName) => createNatsFeed(link, name, () => losses.announce(name))),
    queue: remembered((name: 'usage') => createNatsQueue(link, name)),
    keyValue: (bucket: string, { ttlSeconds }: Readonly<{ ttlSeconds: number }>) =>
      bucketOf(`${bucket}:${ttlSeconds}`),
  };
};

const busOf = (link: NatsLink, { feed, queue, keyValue, losses }: Parts): Bus => ({
  ...createNatsMessages(link),
  feed: <T>(name: FeedName) => feed(name) as Feed<T>,
  onFeedLoss: losses.add,
  queue: <T>(name: 'usage') => queue(name) as Queue<T>,
  keyValue,
  close: () => close(link),
});

/** Over a connection that is open. */
export const natsBusOver = (link: NatsLink, clock: Clock): Bus => busOf(link, partsOf(link, clock));

/**
 * The bus of the distributed mode, over NATS with JetStream. What `provides` names is there before
 * this resolves, and again after the server lost it. Reconnects for ever; meanwhile calls reject
 * with BusUnavailableError.
 * @throws ConfigError when the server refuses this process
 */
export const createNatsBus = async (
  options: NatsOptions & Readonly<{ clock?: Clock; provides?: Provided }>,
): Promise<Bus> => {
  const link = await openNatsLink(options);
  const parts = partsOf(link, options.clock ?? nodeClock);
  const { feeds = [], queues = [], buckets = [] } = options.provides ?? {};
  await keepProvided(link, [
    ...feeds.map((name) => parts.feed(name).ensure),
    ...queues.map((name) => parts.queue(name).ensure),
    ...buckets.map(({ bucket, ttlSeconds }) => parts.keyValue(bucket, { ttlSeconds }).ensure),
  ]);
  return busOf(link, parts);
};
