import { BusUnavailableError, type FeedName } from '../../ports/bus.ts';
import { untilDone } from '../retry.ts';
import type { NatsLink } from './nats-link.ts';

/** What other processes use and may not make themselves. */
export type Provided = Readonly<{
  feeds?: readonly FeedName[];
  queues?: readonly 'usage'[];
  buckets?: readonly Readonly<{ bucket: string; ttlSeconds: number }>[];
}>;

/**
 * Makes all of it now, however long the server takes to answer, and again after every lost
 * connection: the server may be empty after a restart, and its users would wait for ever.
 * @throws what the server refuses at the first time
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
  const { signal } = closing;
  const warn = (err: unknown, attempt: number): void =>
    link.logger.warn({ err, attempt }, 'streams of NATS cannot be made yet');
  const warnUnlessRefused = (err: unknown, attempt: number): void => {
    if (!(err instanceof BusUnavailableError)) throw err;
    warn(err, attempt);
  };
  const { timers } = link.system;
  link.onReconnect(() => void untilDone(ensureAll, { signal, timers, onFailure: warn }));
  await untilDone(ensureAll, { signal, timers, onFailure: warnUnlessRefused });
};
