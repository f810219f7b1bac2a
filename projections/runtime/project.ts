import type { Kysely } from 'kysely';
import type { Recorded } from '../../domain/shared/event.ts';
import { moveCheckpoint, type Step } from './checkpoints.ts';
import { HandlerFaultError } from './db-errors.ts';
import { flush } from './flush.ts';
import type { Place, Projector } from './projector.ts';
import { createRowBatch, type TableChanges } from './row-batch.ts';

/**
 * Runs events through the handlers of a projector and writes the rows.
 * @throws HandlerFaultError
 */
export const applyEvents = async (
  projector: Projector,
  events: readonly Recorded[],
  place: Place,
): Promise<readonly TableChanges[]> => {
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
  await flush(place, changes);
  await projector.finish?.(context, place);
  return changes;
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
    return applyEvents(projector, events, { db: trx, ...place });
  });
