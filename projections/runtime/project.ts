import type { Kysely } from 'kysely';
import type { Recorded } from '../../domain/shared/event.ts';
import { moveCheckpoint, type Step } from './checkpoints.ts';
import { HandlerFaultError } from './db-errors.ts';
import { flush, type Written } from './flush.ts';
import type { Finish, Place, Projector } from './projector.ts';
import { createRowBatch, type TableChanges } from './row-batch.ts';

/** Events that a projector is to apply, and where its tables stand. */
export type Application = Readonly<{
  projector: Projector;
  events: readonly Recorded[];
  place: Place;
}>;
/** What they come to; nothing of it is written yet. */
export type Outcome = Written & Readonly<{ finish: Finish | null }>;

/** Runs events through the handlers of a projector. @throws HandlerFaultError */
export const outcomeOf = async ({ projector, events, place }: Application): Promise<Outcome> => {
  const context = projector.prepare === undefined ? null : await projector.prepare(events, place);
  const { writers, gathered, changes } = createRowBatch(projector.tables);
  for (const recorded of events) {
    const handler = projector.on[recorded.event.type];
    if (typeof handler !== 'function') continue;
    try {
      handler(writers, recorded, context);
    } catch (error) {
      throw new HandlerFaultError(recorded.event.type, recorded.position, error);
    }
  }
  projector.settle?.(writers, gathered);
  return { place, changes, finish: projector.finish?.(context) ?? null };
};

/** Writes outcomes within the transaction `db`. */
export const writeOutcomes = async (
  db: Kysely<unknown>,
  outcomes: readonly Outcome[],
): Promise<void> => {
  const placed = outcomes.map((outcome) => ({ ...outcome, place: { ...outcome.place, db } }));
  await flush(placed);
  for (const { place, finish } of placed) await finish?.(place);
};

/**
 * Runs events through the handlers of one projector and writes its rows; answers with the changes.
 * @throws HandlerFaultError
 */
export const applyEvents = async (application: Application): Promise<readonly TableChanges[]> => {
  const outcome = await outcomeOf(application);
  await writeOutcomes(application.place.db, [outcome]);
  return outcome.changes;
};

type Batch = Readonly<{
  events: readonly Recorded[];
  place: Omit<Place, 'db'>;
  step: Step;
}>;

/** Rows and checkpoint in one transaction: every event takes effect exactly once. */
export const project = (
  db: Kysely<unknown>,
  projector: Projector,
  { events, place, step }: Batch,
): Promise<readonly TableChanges[]> =>
  db.transaction().execute(async (trx) => {
    await moveCheckpoint(trx, step);
    return applyEvents({ projector, events, place: { db: trx, ...place } });
  });
