import type { Kysely } from 'kysely';
import type { Recorded } from '../../domain/shared/event.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Timers } from '../../infra/ports/timers.ts';
import {
  CheckpointMovedError,
  finishTables,
  moveCheckpoint,
  type Prepared,
  readCheckpoint,
} from './checkpoints.ts';
import { backoffMs, isOutage, pause } from './db-errors.ts';
import { createInbox, type Inbox } from './inbox.ts';
import type { LogPlace } from './log-place.ts';
import { project } from './project.ts';
import { concerns, type Projector, placeOf, schemaOf } from './projector.ts';

/**
 * Events of one transaction. While tables are built that are not read yet they take
 * all events that wait: a lagging projector uses larger batches, which cost fewer round trips.
 */
const batchEvents = 1_000;
const freshBatchEvents = 8_000;

type WorkerState = 'running' | 'failed';

/** Runs one projector, independently of the others. */
export interface Worker {
  readonly name: string;
  readonly inbox: Inbox;
  /** All events up to here have taken effect. */
  checkpoint(): bigint | null;
  state(): WorkerState;
  error(): string;
  /** Events that went by since the start, and when the newest of them happened (ISO-8601). */
  seen(): Readonly<{ count: number; at: string | null }>;
  /** The head of the log was here: from this position on the rows are fit to be shown. */
  serveFrom(goal: bigint | null): Promise<void>;
  isServing(): boolean;
  /** Once a second: writes a checkpoint that so far moved in memory only. */
  persist(): Promise<void>;
  /** Runs `task` between two batches, then goes on from the checkpoint that it answers with. */
  between(task: () => Promise<LogPlace | null>): Promise<void>;
  run(): Promise<void>;
}

type Deps = Readonly<{
  db: Kysely<unknown>;
  projector: Projector;
  prepared: Prepared;
  timers: Timers;
  logger: Logger;
  signal: AbortSignal;
  /** After each batch, and when the projector failed. */
  onProgress: () => void;
  /** The checkpoint went back: events that went by have to be read again. */
  onRewind: () => void;
}>;

type Progress = {
  checkpoint: bigint | null;
  /** Of the event at `checkpoint`. */
  eventId: string | null;
  /** What stands in the database; behind `checkpoint` while nothing concerned the projector. */
  persisted: bigint | null;
  state: WorkerState;
  error: string;
  seen: number;
  /** ISO-8601, of the newest event that went by. */
  seenAt: string | null;
  /** undefined until the head of the log was reached. */
  goal: bigint | null | undefined;
  serving: boolean;
  /** The tables have no indexes yet. */
  fresh: boolean;
};

const isAfter = (position: bigint, checkpoint: bigint | null): boolean =>
  checkpoint === null || position > checkpoint;

const comeTo = (progress: Progress, position: bigint | null, eventId: string | null): void => {
  progress.checkpoint = position;
  progress.eventId = eventId;
};

const apply = async (
  { db, projector, logger }: Deps,
  progress: Progress,
  events: readonly Recorded[],
): Promise<void> => {
  const last = events.at(-1);
  if (last === undefined) return;
  const { position: to, eventId } = last;
  const relevant = events.filter(
    (recorded) => isAfter(recorded.position, progress.checkpoint) && concerns(projector, recorded),
  );
  if (relevant.length > 0) {
    const step = { name: projector.name, from: progress.persisted, to, eventId };
    const place = { schema: schemaOf(projector.name), fresh: progress.fresh };
    const changes = await project(db, projector, { events: relevant, place, step });
    progress.persisted = to;
    if (progress.serving) {
      await projector.committed?.(changes, placeOf(db, projector)).catch((error: unknown) => {
        logger.error({ projection: projector.name, err: error }, 'could not tell what changed');
        progress.serving = false;
      });
    }
  }
  if (isAfter(to, progress.checkpoint)) comeTo(progress, to, eventId);
};

const nowhere = { position: null, eventId: null };

/** Our checkpoint is not the one in the database: a lost answer to a commit, or another process. */
const adopt = async (deps: Deps, progress: Progress): Promise<void> => {
  const { db, projector } = deps;
  const { position: stored, eventId } = (await readCheckpoint(db, projector.name))?.at ?? nowhere;
  const { persisted } = progress;
  if (persisted !== null && (stored === null || stored < persisted)) return deps.onRewind();
  if (stored !== null && isAfter(stored, progress.checkpoint)) {
    comeTo(progress, stored, eventId);
  }
  progress.persisted = stored;
  progress.serving = false;
};

/**
 * Once the rows are fit to be shown: makes fresh tables whole, and tells the whole state; tells it
 * again when telling a change failed.
 */
const serve = async ({ db, projector, logger }: Deps, progress: Progress): Promise<void> => {
  const { goal, checkpoint } = progress;
  if (progress.serving || goal === undefined || progress.state === 'failed') return;
  if (goal !== null && (checkpoint === null || checkpoint < goal)) return;
  try {
    if (progress.fresh) await finishTables(db, projector);
    progress.fresh = false;
    await projector.started?.(placeOf(db, projector));
    progress.serving = true;
  } catch (error) {
    logger.warn({ projection: projector.name, err: error }, 'not ready to serve yet');
  }
};

const stopAtFault = ({ projector, logger }: Deps, progress: Progress, error: unknown): void => {
  progress.state = 'failed';
  progress.error = error instanceof Error ? error.message : String(error);
  logger.error({ projection: projector.name, err: error }, 'projection stopped');
};

/** Tries again through outages; a fault of the projector stops it at its checkpoint. */
const applyPatiently = async (
  deps: Deps,
  progress: Progress,
  events: readonly Recorded[],
): Promise<void> => {
  const name = deps.projector.name;
  let moved = false;
  for (let failures = 0; !deps.signal.aborted; failures += 1) {
    try {
      if (moved) {
        await adopt(deps, progress);
        moved = false;
        continue;
      }
      await apply(deps, progress, events);
      return;
    } catch (error) {
      moved = moved || error instanceof CheckpointMovedError;
      if (!moved && !isOutage(error)) {
        stopAtFault(deps, progress, error);
        return;
      }
      deps.logger.warn({ projection: name, err: error }, 'projection waits for the database');
      await pause(deps.timers, backoffMs(failures), deps.signal);
    }
  }
};

export const createWorker = (deps: Deps): Worker => {
  const { db, projector, signal } = deps;
  const inbox = createInbox();
  const progress: Progress = {
    checkpoint: deps.prepared.at?.position ?? null,
    eventId: deps.prepared.at?.eventId ?? null,
    persisted: deps.prepared.at?.position ?? null,
    fresh: deps.prepared.fresh,
    state: 'running',
    error: '',
    seen: 0,
    seenAt: null,
    goal: undefined,
    serving: false,
  };
  let turn: Promise<unknown> = Promise.resolve();
  /** Batches, lazy checkpoints and swaps of one projector never overlap. */
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const result = turn.then(task);
    turn = result.catch(() => undefined);
    return result;
  };
  signal.addEventListener('abort', () => inbox.close(), { once: true });
  const run = async () => {
    for (;;) {
      const events = await inbox.take(progress.fresh ? freshBatchEvents : batchEvents);
      if (events === null) return;
      await inTurn(async () => {
        if (progress.state === 'failed') return;
        await applyPatiently(deps, progress, events);
        progress.seen += events.length;
        progress.seenAt = events.at(-1)?.metadata.occurredAt ?? progress.seenAt;
        await serve(deps, progress);
      });
      deps.onProgress();
    }
  };
  return {
    name: projector.name,
    inbox,
    checkpoint: () => progress.checkpoint,
    state: () => progress.state,
    error: () => progress.error,
    seen: () => ({ count: progress.seen, at: progress.seenAt }),
    serveFrom: (goal) =>
      inTurn(async () => {
        progress.goal = goal;
        await serve(deps, progress);
        deps.onProgress();
      }),
    isServing: () => progress.serving,
    persist: () =>
      inTurn(async () => {
        await serve(deps, progress);
        const { checkpoint: to, persisted: from, eventId } = progress;
        if (to === null || to === from || progress.state === 'failed') return;
        await moveCheckpoint(db, { name: projector.name, from, to, eventId });
        progress.persisted = to;
      }),
    between: (task) =>
      inTurn(async () => {
        const { position, eventId } = (await task()) ?? nowhere;
        progress.persisted = position;
        comeTo(progress, position, eventId);
        progress.fresh = false;
        progress.state = 'running';
        progress.error = '';
      }),
    run,
  };
};
