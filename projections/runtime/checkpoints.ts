import type { LogPlace } from '../../domain/shared/log-place.ts';
import { type Projector, schemaOf } from './projector.ts';
import type { RowStore } from './row-store.ts';
import { versionOf } from './table.ts';

/** Ends the version of tables that are being built from the start of the log: no indexes yet. */
const freshMark = '+fresh';

export type Prepared = Readonly<{ at: LogPlace | null; fresh: boolean }>;

/**
 * The tables of a projector as its code requires them, and how far they are. Tables of another
 * version, and those that do not belong to the log (`isForeign`), are dropped and begin again from it.
 */
export const prepareTables = (
  rows: RowStore,
  projector: Projector,
  isForeign: boolean,
): Promise<Prepared> =>
  rows.transaction(async (trx) => {
    const version = versionOf(projector.version, projector.tables);
    const freshVersion = version + freshMark;
    const checkpoint = isForeign ? null : await trx.readCheckpoint(projector.name);
    if (checkpoint?.version === version) return { at: checkpoint.at, fresh: false };
    if (checkpoint?.version === freshVersion) return { at: checkpoint.at, fresh: true };
    await trx.createTables(projector, schemaOf(projector.name));
    await trx.resetCheckpoint(projector.name, freshVersion);
    return { at: null, fresh: true };
  });

/** Fresh tables are at the head of the log: from here on they are like any others. */
export const finishTables = (rows: RowStore, projector: Projector): Promise<void> =>
  rows.transaction(async (trx) => {
    const version = versionOf(projector.version, projector.tables);
    await trx.createIndexes(projector, schemaOf(projector.name));
    await trx.changeVersion(projector.name, version + freshMark, version);
  });
