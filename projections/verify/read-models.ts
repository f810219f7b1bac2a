import { CompiledQuery, type Kysely } from 'kysely';
import type { ReadModelState, ReadModels, ReadModelView } from '../../infra/ports/read-models.ts';
import { type Projector, schemaOf } from '../runtime/projector.ts';
import { moneyRows } from './money-rows.ts';
import { type ComparedShadow, openShadow, type ShadowOptions } from './shadow.ts';

type Db = Kysely<unknown>;

/** Memory of the tables that only this run has; compiling a comparison takes longer than running it. */
const settings = "SET temp_buffers = '64MB'; SET jit = off";

const select = async <R>(db: Db, text: string, parameters: readonly unknown[] = []): Promise<R[]> =>
  (await db.executeQuery<R>(CompiledQuery.raw(text, [...parameters]))).rows;

type Stored = Readonly<{ name: string; position: string | null; event_id: string | null }>;

const readCheckpoints = async (db: Db): Promise<readonly Stored[]> => {
  const there = "SELECT to_regclass('projections.checkpoint') IS NOT NULL AS there";
  if ((await select<{ there: boolean }>(db, there))[0]?.there !== true) return [];
  return select<Stored>(
    db,
    'SELECT name, position::text AS position, event_id FROM projections.checkpoint ORDER BY name',
  );
};

const positionsOf = (stored: readonly Stored[]): ReadonlyMap<string, bigint | null> =>
  new Map(stored.map(({ name, position }) => [name, position === null ? null : BigInt(position)]));

/** Projections without a checkpoint, and tables of the others that do not exist. */
const readMissing = async (
  db: Db,
  projectors: readonly Projector[],
  checkpoints: ReadonlyMap<string, unknown>,
): Promise<readonly string[]> => {
  const absent = projectors.filter(({ name }) => !checkpoints.has(name));
  const tables = projectors
    .filter((projector) => !absent.includes(projector))
    .flatMap(({ name, tables: own }) =>
      Object.values(own).map((table) => `${schemaOf(name)}.${table.name}`),
    );
  const text = 'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NULL';
  const missing = await select<{ name: string }>(db, text, [tables]);
  return [...absent, ...missing].map(({ name }) => name);
};

const readState = async (db: Db, projectors: readonly Projector[]): Promise<ReadModelState> => {
  const stored = await readCheckpoints(db);
  const checkpoints = positionsOf(stored);
  return {
    checkpoints,
    checkpointEvents: new Map(stored.map(({ name, event_id }) => [name, event_id])),
    missing: await readMissing(db, projectors, checkpoints),
  };
};

type SchemaIds = ReadonlyMap<string, number | null>;

/**
 * The ids of the schemas: a rebuild puts another schema in place of one. Names are resolved as they are now,
 * whatever snapshot the transaction reads by.
 */
const readSchemaIds = async (db: Db, projectors: readonly Projector[]): Promise<SchemaIds> => {
  const names = projectors.map(({ name }) => name);
  const text =
    "SELECT name, to_regnamespace(replace(name, '-', '_'))::oid::int8 AS id FROM unnest($1::text[]) AS name";
  const rows = await select<{ name: string; id: number | null }>(db, text, [names]);
  return new Map(rows.map(({ name, id }) => [name, id]));
};

type View = Readonly<{
  projectors: readonly Projector[];
  /** From before the snapshot. */
  schemaIds: SchemaIds;
  shadow: ComparedShadow | null;
}>;

const viewOf = async (db: Db, { projectors, schemaIds, shadow }: View): Promise<ReadModelView> => {
  const state = await readState(db, projectors);
  return {
    ...state,
    ...moneyRows(db),
    isUnchanged: async (name) =>
      (await readSchemaIds(db, projectors)).get(name) === schemaIds.get(name),
    compareShadow: async (name) =>
      (await shadow?.compare(name, state.checkpoints.get(name) ?? null)) ?? 0,
  };
};

/** The read models of these projectors, compared with a shadow that the same projectors build. */
export const openReadModels = (db: Db, options: ShadowOptions): ReadModels => ({
  checkpoints: async () => positionsOf(await readCheckpoints(db)),
  open: (task) =>
    db.connection().execute(async (own) => {
      const { projectors } = options;
      await select(own, settings);
      let shadow: ComparedShadow | null = null;
      try {
        return await task({
          begin: await readState(own, projectors),
          openShadow: async (input) => {
            shadow = await openShadow(own, input, options);
            return shadow;
          },
          view: async (use) => {
            // Before the snapshot, so that no rebuild is missed between the two.
            const schemaIds = await readSchemaIds(own, projectors);
            return own
              .transaction()
              .setIsolationLevel('repeatable read')
              .execute(async (trx) => {
                shadow?.within(trx);
                return use(await viewOf(trx, { projectors, schemaIds, shadow }));
              });
          },
        });
      } finally {
        await select(own, 'DISCARD TEMP').catch(() => undefined);
      }
    }),
});
