import { setMaxListeners } from 'node:events';
import type { Kysely } from 'kysely';
import type { Recorded } from '../../domain/shared/event.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Timer, Timers } from '../../infra/ports/timers.ts';
import { prepareTables } from './checkpoints.ts';
import { watchHealth } from './health-watch.ts';
import { type LogPlace, logPlaceOf } from './log-place.ts';
import { type Alarm, reasonToRebuild } from './mismatch.ts';
import type { Projector } from './projector.ts';
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
  db: Kysely<unknown>;
  eventStore: EventStore;
  projectors: readonly Projector[];
  timers: Timers;
  logger: Logger;
  onProgress: () => void;
  alarm: Alarm;
  /** Between two looks whether the log and the tables are still those that they were. */
  healthCheckMs: number;
}>;

export type Session = Readonly<{ workers: readonly Worker[]; reading: Reading }>;

const openWorkers = async (
  deps: SessionDeps,
  control: AbortController,
): Promise<readonly Worker[]> => {
  const workers: Worker[] = [];
  const reasons = await reasonToRebuild(deps);
  for (const projector of deps.projectors) {
    const reason = reasons.get(projector.name);
    if (reason !== undefined) deps.alarm.rebuilds(projector.name, reason);
    const prepared = await prepareTables(deps.db, projector, reason !== undefined);
    workers.push(
      createWorker({
        db: deps.db,
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

const createReader = (timers: Timers, workers: readonly Worker[], reading: Reading) => {
  let pending: Recorded[] = [];
  let isScheduled = false;
  let timer: Timer | null = null;
  const deliver = () => {
    timers.clear(timer);
    timer = null;
    isScheduled = false;
    const events = pending;
    pending = [];
    for (const { inbox } of workers) inbox.push(events);
  };
  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    if (reading.caughtUp) timers.setImmediate(deliver);
    else timer = timers.setTimeout(deliver, maxWaitMs);
  };
  return {
    /** Delivers what arrived in the same turn of the event loop together, without waiting longer. */
    accept: async (events: readonly Recorded[]) => {
      for (const recorded of events) {
        reading.head = recorded.position;
        reading.newest = logPlaceOf(recorded);
        pending.push(recorded);
        if (pending.length < chunkEvents) continue;
        deliver();
        await Promise.all(workers.map(({ inbox }) => inbox.room()));
      }
      if (pending.length > 0) schedule();
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
    const reading: Reading = { head: after, newest: null, caughtUp: false };
    onOpen({ workers, reading });
    const running = workers.map((worker) => worker.run());
    const reader = createReader(deps.timers, workers, reading);
    const watching = watchHealth(deps, () => reading.newest, control);
    try {
      if (signal.aborted) abort();
      const items = deps.eventStore.subscribeToAll({ after, signal: control.signal });
      for await (const item of items) {
        if (item === 'caught-up') reader.caughtUp();
        else await reader.accept(item);
      }
    } finally {
      abort();
      await Promise.all([...running, watching]);
    }
    await Promise.all(workers.map((worker) => worker.persist().catch(() => undefined)));
  } finally {
    signal.removeEventListener('abort', abort);
    abort();
  }
};
