import type { Recorded } from '../../domain/shared/event.ts';
import { type LogPlace, logPlaceOf } from '../../domain/shared/log-place.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import { outcomeOf, writeOutcomes } from './project.ts';
import { concerns, type Projector, placeOf, schemaOf } from './projector.ts';
import type { RowStore } from './row-store.ts';
import { versionOf } from './table.ts';
import type { Worker } from './worker.ts';

/** Events of one transaction; the next ones arrive while it is written. */
const batchEvents = 2_000;

/** Progress of a rebuild: 0 to 1. */
export type OnProgress = (progress: number) => void;

type Build = Readonly<{
  rows: RowStore;
  projector: Projector;
  eventStore: EventStore;
  schema: string;
  onProgress: OnProgress;
  /** Before the indexes are made. */
  fresh: boolean;
}>;

const applyToShadow = async (build: Build, events: readonly Recorded[]): Promise<void> => {
  const { projector, schema, fresh } = build;
  await build.rows.transaction(async (rows) => {
    const outcome = await outcomeOf({ projector, events, place: { rows, schema, fresh } });
    await writeOutcomes(rows, [outcome]);
  });
};

/** Projects everything after `after` into the shadow; returns the position reached. */
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
 * Builds a projection again while the old one serves and puts it in its place. The old one
 * continues until the last moment; then both stop for the rest of the log and the swap.
 */
export const rebuildProjection = async (
  deps: Readonly<{ rows: RowStore; projector: Projector; eventStore: EventStore; worker: Worker }>,
  onProgress: OnProgress,
): Promise<void> => {
  const { rows, projector, eventStore, worker } = deps;
  const schema = `${schemaOf(projector.name)}_shadow`;
  const build: Build = { rows, projector, eventStore, schema, onProgress, fresh: true };
  await rows.transaction((trx) => trx.createTables(projector, schema));
  const almost = await catchUp(build, null);
  await rows.transaction((trx) => trx.createIndexes(projector, schema));
  await worker.between(async () => {
    const at = await catchUp({ ...build, fresh: false }, almost);
    const version = versionOf(projector.version, projector.tables);
    await rows.swapTables(projector, schema, { version, at });
    await projector.started?.(placeOf(rows, projector));
    return at;
  });
  onProgress(1);
};
