import { setMaxListeners } from 'node:events';
import type { Recorded } from '../../domain/shared/event.ts';
import { type LogPlace, logPlaceOf } from '../../domain/shared/log-place.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Timer, Timers } from '../../infra/ports/timers.ts';
import type { LogTracing } from '../../infra/ports/tracing.ts';
import { prepareTables } from './checkpoints.ts';
import { watchHealth } from './health-watch.ts';
import { type Alarm, reasonToRebuild } from './mismatch.ts';
import type { Projector } from './projector.ts';
import type { RowStore } from './row-store.ts';
import { createTicks, type Ticks } from './tick.ts';
import { createWorker, type Worker } from './worker.ts';

/**
 * Events that go to the inboxes at once while the log is read from behind: fewer, larger
 * transactions. What is there goes after a moment even so.
 */
const chunkEvents = 2_000;
const maxWaitMs = 100;

/** Where the reader of the log is. */
type Reading = {
  /** Newest event that was read. */
  head: bigint | null;
  /** The same with its event; null until one was read. */
  newest: LogPlace | null;
  /** The head of the log was reached. */
  caughtUp: boolean;
};

export type SessionDeps = Readonly<{
  rows: RowStore;
  eventStore: EventStore;
  projectors: readonly Projector[];
  timers: Timers;
  logger: Logger;
  tracing?: LogTracing | null;
  onProgress: () => void;
  alarm: Alarm;
  /** Between two checks whether the log and the tables are still the same. */
  healthCheckMs: number;
}>;

export type Session = Readonly<{
  workers: readonly Worker[];
  reading: Reading;
  ticks: Pick<Ticks, 'persist' | 'awaited'>;
}>;

const openWorkers = async (
  deps: SessionDeps,
  control: AbortController,
): Promise<readonly Worker[]> => {
  const workers: Worker[] = [];
  const reasons = await reasonToRebuild(deps);
  for (const projector of deps.projectors) {
    const reason = reasons.get(projector.name);
    if (reason !== undefined) deps.alarm.rebuilds(projector.name, reason);
    const prepared = await prepareTables(deps.rows, projector, reason !== undefined);
    workers.push(
      createWorker({
        rows: deps.rows,
        projector,
        prepared,
        timers: deps.timers,
        logger: deps.logger,
        signal: control.signal,
        onProgress: deps.onProgress,
        onRewind: () => control.abort(),
      }),
    );
  }
  return workers;
};

/**
 * Of all that the projectors have read before: whether the log still holds it is checked from now
 * on.
 */
const newestOf = (workers: readonly Worker[]): LogPlace | null => {
  const places = workers.map((worker) => worker.place()).filter((place) => place !== null);
  return places.reduce<LogPlace | null>(
    (newest, place) => (newest !== null && newest.position > place.position ? newest : place),
    null,
  );
};

/** Where to read from so that no projector misses an event. */
const smallest = (workers: readonly Worker[]): bigint | null => {
  let least: bigint | null | undefined;
  for (const worker of workers) {
    const checkpoint = worker.checkpoint();
    if (checkpoint === null) return null;
    if (least === undefined || least === null || checkpoint < least) least = checkpoint;
  }
  return least ?? null;
};

type ReaderDeps = Readonly<{ timers: Timers; workers: readonly Worker[]; ticks: Ticks }>;

const createReader = ({ timers, workers, ticks }: ReaderDeps, reading: Reading) => {
  let pending: Recorded[] = [];
  let timer: Timer | null = null;
  const roomOfWorkers = () => Promise.all(workers.map((worker) => worker.room()));
  /** To each by itself: they may be at different places still. */
  const deliver = () => {
    timers.clear(timer);
    timer = null;
    const events = pending;
    pending = [];
    if (events.length > 0) for (const worker of workers) worker.offer(events);
  };
  const gather = async (events: readonly Recorded[]) => {
    for (const recorded of events) {
      pending.push(recorded);
      if (pending.length < chunkEvents) continue;
      deliver();
      await roomOfWorkers();
    }
    if (pending.length > 0) timer ??= timers.setTimeout(deliver, maxWaitMs);
  };
  return {
    accept: async (events: readonly Recorded[]) => {
      const last = events.at(-1);
      if (last === undefined) return;
      reading.head = last.position;
      reading.newest = logPlaceOf(last);
      if (!reading.caughtUp) return gather(events);
      ticks.push(events);
      await ticks.room();
      await roomOfWorkers();
    },
    caughtUp: () => {
      deliver();
      if (reading.caughtUp) return;
      reading.caughtUp = true;
      for (const worker of workers) void worker.serveFrom(reading.head);
    },
  };
};

/** Feeds all projectors from one subscription until the signal aborts. */
export const runSession = async (
  deps: SessionDeps,
  signal: AbortSignal,
  onOpen: (session: Session) => void,
): Promise<void> => {
  const control = new AbortController();
  // Each projector listens, and there are more of them than Node takes for sane.
  setMaxListeners(0, control.signal);
  const abort = () => control.abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    const workers = await openWorkers(deps, control);
    const after = smallest(workers);
    const reading: Reading = { head: after, newest: newestOf(workers), caughtUp: false };
    const ticks = createTicks({ ...deps, workers });
    onOpen({ workers, reading, ticks });
    const running = workers.map((worker) => worker.run());
    const reader = createReader({ timers: deps.timers, workers, ticks }, reading);
    const watching = watchHealth(deps, () => reading.newest, control);
    try {
      if (signal.aborted) abort();
      const items = deps.eventStore.subscribeToAll({
        after,
        lastRead: reading.newest,
        signal: control.signal,
      });
      for await (const item of items) {
        if (item === 'caught-up') reader.caughtUp();
        else await reader.accept(item);
      }
    } finally {
      abort();
      await ticks.stop();
      await Promise.all([...running, watching]);
    }
    await Promise.all(workers.map((worker) => worker.persist().catch(() => undefined)));
  } finally {
    signal.removeEventListener('abort', abort);
    abort();
  }
};
