import type { KvEntry } from 'nats';
import type { Stop } from '../../ports/bus.ts';
import type { Timers } from '../../ports/timers.ts';
import { pause, retryDelayMs } from '../retry.ts';
import type { LazyBucket } from './nats-bucket.ts';
import { lineIsUp, type NatsLink, reaching } from './nats-link.ts';

export type Watch = Readonly<{ ready: Promise<void>; stop: Stop }>;
type OnEntries = (entries: readonly KvEntry[]) => void;
type Listener = Readonly<{
  onEntries: OnEntries;
  /** A watch begins; it may not be the first one. */
  onBegin?: () => void;
  /** All that was held when the watch began has been delivered. */
  onReady?: () => void;
}>;

/** A batch is what arrived in one turn of the event loop, at most this many. */
const entriesPerBatch = 2_000;
/** After a watch that lasted this long, the next begins without delay. */
const longWatchMs = 10_000;

const createBatches = (timers: Timers, onEntries: OnEntries) => {
  let batch: KvEntry[] = [];
  let isScheduled = false;
  const flush = (): void => {
    if (batch.length === 0) return;
    const entries = batch;
    batch = [];
    onEntries(entries);
  };
  const flushLater = (): void => {
    isScheduled = false;
    flush();
  };
  return {
    flush,
    add: (entry: KvEntry): void => {
      batch.push(entry);
      if (batch.length >= entriesPerBatch) flush();
      else if (!isScheduled) {
        isScheduled = true;
        timers.setImmediate(flushLater);
      }
    },
  };
};

/**
 * All that a bucket holds, then every change. After a lost connection, or when the server forgot
 * the watch, it begins again with all that is held.
 */
export const watchBucket = (
  link: NatsLink,
  { use }: LazyBucket,
  { onEntries, onBegin, onReady }: Listener,
): Watch => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { timers } = link.system;
  let restart: () => void = () => undefined;
  let announce: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    announce = resolve;
  });

  const deliver: OnEntries = (entries) => {
    if (signal.aborted) return;
    try {
      onEntries(entries);
    } catch (err) {
      link.logger.error({ err }, 'a feed watcher failed');
    }
  };

  const watchOnce = async (): Promise<void> => {
    const batches = createBatches(timers, deliver);
    const initializedFn = (): void => {
      batches.flush();
      announce();
      onReady?.();
    };
    onBegin?.();
    const opening = use((kv) => kv.watch({ initializedFn }));
    const entries = await reaching(link, 'feed', () => opening).catch((error: unknown) => {
      // A watch that opens after the connection was lost has no reader and must not pile up entries.
      opening.then((late) => late.stop()).catch(() => undefined);
      throw error;
    });
    restart = () => entries.stop();
    if (signal.aborted) entries.stop();
    for await (const entry of entries) batches.add(entry);
    batches.flush();
  };

  const run = async (): Promise<void> => {
    for (let attempt = 1; !signal.aborted && !link.connection.isClosed(); attempt += 1) {
      await lineIsUp(link, signal);
      if (signal.aborted) return;
      const startedAt = timers.now();
      await watchOnce().catch((err: unknown) => link.logger.warn({ err }, 'a feed watch broke'));
      if (timers.now() - startedAt > longWatchMs) attempt = 1;
      await pause(timers, retryDelayMs(attempt), signal);
    }
  };

  const forget = link.onReconnect(() => restart());
  const running = run();
  return {
    ready,
    stop: async () => {
      stopping.abort();
      forget();
      restart();
      await running;
    },
  };
};
