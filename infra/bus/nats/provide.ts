import type { FeedName } from '../../ports/bus.ts';
import { untilDone } from '../retry.ts';
import type { NatsLink } from './nats-link.ts';

/** What other processes use and may not make themselves. */
export type Provided = Readonly<{
  feeds?: readonly FeedName[];
  queues?: readonly 'usage'[];
  buckets?: readonly Readonly<{ bucket: string; ttlSeconds: number }>[];
}>;

/**
 * Makes all of it now, and again after every lost connection: the server may have come back empty,
 * and those who wait for it would wait for ever.
 */
export const keepProvided = async (
  link: NatsLink,
  ensures: readonly (() => Promise<void>)[],
): Promise<void> => {
  const ensureAll = async (): Promise<void> => {
    await Promise.all(ensures.map((ensure) => ensure()));
  };
  const closing = new AbortController();
  void link.connection.closed().then(() => closing.abort());
  const again = async (): Promise<void> => {
    await untilDone(ensureAll, {
      signal: closing.signal,
      timers: link.system.timers,
      onFailure: (err, attempt) =>
        link.logger.warn({ err, attempt }, 'streams of NATS cannot be made yet'),
    });
  };
  link.onReconnect(() => void again());
  await ensureAll();
};
