import type { Kysely } from 'kysely';
import type { Recorded } from '../../domain/shared/event.ts';
import { moveCheckpoint, type Step } from './checkpoints.ts';
import { HandlerFaultError } from './db-errors.ts';
import { flush, type Written } from './flush.ts';
import type { Place, Projector } from './projector.ts';
import { createRowBatch, type TableChanges } from './row-batch.ts';

/** Events that projectors are to apply, and where their tables stand. */
export type Application = Readonly<{
  projector: Projector;
  events: readonly Recorded[];
  place: Place;
}>;
type Applied = Written & Readonly<{ finish: () => Promise<void> }>;

const runHandlers = async ({ projector, events, place }: Application): Promise<Applied> => {
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
  return { place, changes, finish: async () => projector.finish?.(context, place) };
};

/**
 * Runs events through the handlers of projectors and writes the rows of all together; answers with
 * the changes of each. They share one transaction.
 * @throws HandlerFaultError
 */
export const applyAll = async (
  applications: readonly Application[],
): Promise<readonly (readonly TableChanges[])[]> => {
  const applied: Applied[] = [];
  for (const application of applications) applied.push(await runHandlers(application));
  await flush(applied);
  for (const { finish } of applied) await finish();
  return applied.map(({ changes }) => changes);
};

/** The same for one projector. @throws HandlerFaultError */
export const applyEvents = async (application: Application): Promise<readonly TableChanges[]> =>
  (await applyAll([application]))[0] ?? [];

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
