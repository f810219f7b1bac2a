import type { Recorded } from '../../domain/shared/event.ts';
import { HandlerFaultError } from './db-errors.ts';
import type { Finish, Projector } from './projector.ts';
import { createRowBatch } from './row-batch.ts';
import type { Place, RowStore, Step, Written } from './row-store.ts';

/** Events that a projector is to apply, and where its tables are. */
export type Application = Readonly<{
  projector: Projector;
  events: readonly Recorded[];
  place: Place;
}>;
/** Their rows; nothing of them is written yet. */
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

/** Writes outcomes within the transaction `rows`. */
export const writeOutcomes = async (
  rows: RowStore,
  outcomes: readonly Outcome[],
): Promise<void> => {
  await rows.write(outcomes);
  for (const { place, finish } of outcomes) await finish?.({ ...place, rows });
};

/**
 * Rows and checkpoints at one moment: every event takes effect exactly once. In one message where that
 * is enough. What handlers need was read before it: another writer would have moved a checkpoint, and then
 * nothing is written.
 */
export const writeWithStep = async (
  rows: RowStore,
  outcomes: readonly Outcome[],
  step: Step,
): Promise<void> => {
  const isPlain = outcomes.every(({ finish }) => finish === null);
  if (isPlain && (await rows.writeWithStep(step, outcomes))) return;
  await rows.transaction(async (trx) => {
    await trx.moveCheckpoints(step);
    await writeOutcomes(trx, outcomes);
  });
};
