import type { Recorded } from '../../domain/shared/event.ts';
import type { LogPlace } from '../../domain/shared/log-place.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Timers } from '../../infra/ports/timers.ts';
import { finishTables, type Prepared } from './checkpoints.ts';
import { backoffMs, isOutage, pause } from './db-errors.ts';
import { outcomeOf, writeWithStep } from './project.ts';
import { concerns, type Projector, placeOf, schemaOf } from './projector.ts';
import type { TableChanges } from './row-batch.ts';
import { CheckpointMovedError, type RowStore } from './row-store.ts';

export type WorkerState = 'running' | 'failed';

export type WorkerDeps = Readonly<{
  rows: RowStore;
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

/** Where a worker is, and in which state. */
export type Progress = {
  checkpoint: bigint | null;
  /** Of the event at `checkpoint`. */
  eventId: string | null;
  /** The state in the database; behind `checkpoint` while nothing concerned the projector. */
  persisted: LogPlace | null;
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
  /** Rows were written since this was last read. */
  hasChanged: boolean;
};

const isAfter = (position: bigint, checkpoint: bigint | null): boolean =>
  checkpoint === null || position > checkpoint;

export const comeTo = (
  progress: Progress,
  position: bigint | null,
  eventId: string | null,
): void => {
  progress.checkpoint = position;
  progress.eventId = eventId;
};

export const announceChanges = async (
  { rows, projector, logger }: Pick<WorkerDeps, 'rows' | 'projector' | 'logger'>,
  progress: Progress,
  changes: readonly TableChanges[],
): Promise<void> => {
  progress.hasChanged = true;
  if (!progress.serving) return;
  await projector.committed?.(changes, placeOf(rows, projector)).catch((error: unknown) => {
    logger.error({ projection: projector.name, err: error }, 'changes could not be published');
    progress.serving = false;
  });
};

export const relevantTo = (
  projector: Projector,
  { checkpoint }: Progress,
  events: readonly Recorded[],
): readonly Recorded[] =>
  events.filter(
    (recorded) => isAfter(recorded.position, checkpoint) && concerns(projector, recorded),
  );

export const noteSeen = (progress: Progress, events: readonly Recorded[]): void => {
  progress.seen += events.length;
  progress.seenAt = events.at(-1)?.metadata.occurredAt ?? progress.seenAt;
};

const apply = async (
  { rows, projector, logger }: WorkerDeps,
  progress: Progress,
  events: readonly Recorded[],
): Promise<void> => {
  const last = events.at(-1);
  if (last === undefined) return;
  const { position: to, eventId } = last;
  const relevant = relevantTo(projector, progress, events);
  if (relevant.length > 0) {
    const { name } = projector;
    const step = { from: [{ name, at: progress.persisted }], to, eventId };
    const place = { rows, schema: schemaOf(name), fresh: progress.fresh };
    const outcome = await outcomeOf({ projector, events: relevant, place });
    await writeWithStep(rows, [outcome], step);
    progress.persisted = { position: to, eventId };
    await announceChanges({ rows, projector, logger }, progress, outcome.changes);
  }
  if (isAfter(to, progress.checkpoint)) comeTo(progress, to, eventId);
};

export const nowhere = { position: null, eventId: null };

/**
 * Our checkpoint is not the one in the database. The answer to a commit was lost where it is one of
 * these events; else another process or a restored backup moved it, and whether the rows belong to
 * this log is checked before anything is added to them.
 */
const adopt = async (
  deps: WorkerDeps,
  progress: Progress,
  events: readonly Recorded[],
): Promise<void> => {
  const { rows, projector } = deps;
  const stored = (await rows.readCheckpoint(projector.name))?.at ?? null;
  const isOurs = events.some(
    ({ position, eventId }) => position === stored?.position && eventId === stored.eventId,
  );
  if (stored === null || !isOurs) return deps.onRewind();
  comeTo(progress, stored.position, stored.eventId);
  progress.persisted = stored;
  progress.serving = false;
};

/**
 * Once the rows are fit to be shown: makes fresh tables whole, and publishes the whole state;
 * publishes it again when publishing a change failed.
 */
export const serve = async (
  { rows, projector, logger }: WorkerDeps,
  progress: Progress,
): Promise<void> => {
  const { goal, checkpoint } = progress;
  if (progress.serving || goal === undefined || progress.state === 'failed') return;
  if (goal !== null && (checkpoint === null || checkpoint < goal)) return;
  try {
    if (progress.fresh) await finishTables(rows, projector);
    progress.fresh = false;
    await projector.started?.(placeOf(rows, projector));
    progress.serving = true;
  } catch (error) {
    logger.warn({ projection: projector.name, err: error }, 'not ready to serve yet');
  }
};

const stopAtFault = (
  { projector, logger }: WorkerDeps,
  progress: Progress,
  error: unknown,
): void => {
  progress.state = 'failed';
  progress.error = error instanceof Error ? error.message : String(error);
  logger.error({ projection: projector.name, err: error }, 'projection stopped');
};

/** Tries again through outages; a fault of the projector stops it at its checkpoint. */
export const applyPatiently = async (
  deps: WorkerDeps,
  progress: Progress,
  events: readonly Recorded[],
): Promise<void> => {
  const name = deps.projector.name;
  let moved = false;
  for (let failures = 0; !deps.signal.aborted; failures += 1) {
    try {
      if (moved) {
        await adopt(deps, progress, events);
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
