import type { Kysely } from 'kysely';
import type { Recorded } from '../../domain/shared/event.ts';
import { type LogPlace, logPlaceOf } from '../../domain/shared/log-place.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import { createIndexes, createTables, swapTables } from './checkpoints.ts';
import { applyEvents } from './project.ts';
import { concerns, type Projector, placeOf, schemaOf } from './projector.ts';
import type { Worker } from './worker.ts';

type Db = Kysely<unknown>;

/** Events of one transaction; the next ones arrive while it is written. */
const batchEvents = 2_000;

/** How far a rebuild has come: 0 to 1. */
export type OnProgress = (progress: number) => void;

type Build = Readonly<{
  db: Db;
  projector: Projector;
  eventStore: EventStore;
  schema: string;
  onProgress: OnProgress;
  /** Before the indexes are made. */
  fresh: boolean;
}>;

const applyToShadow = (build: Build, events: readonly Recorded[]): Promise<unknown> =>
  build.db
    .transaction()
    .execute((trx) =>
      applyEvents({ projector: build.projector, events, place: { ...build, db: trx } }),
    );

/** Projects everything after `after` into the shadow; answers where it came to. */
const catchUp = async (build: Build, after: LogPlace | null): Promise<LogPlace | null> => {
  const head = await build.eventStore.head();
  let last = after;
  let batch: Recorded[] = [];
  const rest = after === null ? {} : { after: after.position };
  for await (const recorded of build.eventStore.readAll(rest)) {
    last = logPlaceOf(recorded);
    if (concerns(build.projector, recorded)) batch.push(recorded);
    if (batch.length >= batchEvents) {
      await applyToShadow(build, batch);
      batch = [];
      if (head !== null && head > 0n) {
        build.onProgress(Math.min(1, Number((last.position * 1000n) / head) / 1000));
      }
    }
  }
  if (batch.length > 0) await applyToShadow(build, batch);
  return last;
};

/**
 * Builds a projection anew beside the one that serves and puts it in its place. The old one goes on
 * until the last moment; then both stand still for the rest of the log and the swap.
 */
export const rebuildProjection = async (
  deps: Readonly<{ db: Db; projector: Projector; eventStore: EventStore; worker: Worker }>,
  onProgress: OnProgress,
): Promise<void> => {
  const { db, projector, eventStore, worker } = deps;
  const schema = `${schemaOf(projector.name)}_shadow`;
  const build: Build = { db, projector, eventStore, schema, onProgress, fresh: true };
  await db.transaction().execute((trx) => createTables(trx, projector, schema));
  const almost = await catchUp(build, null);
  await db.transaction().execute((trx) => createIndexes({ db: trx, schema }, projector));
  await worker.between(async () => {
    const at = await catchUp({ ...build, fresh: false }, almost);
    await swapTables(db, projector, { schema, at });
    await projector.started?.(placeOf(db, projector));
    return at;
  });
  onProgress(1);
};
