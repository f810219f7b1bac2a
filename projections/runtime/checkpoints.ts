import { CompiledQuery, type Kysely } from 'kysely';
import type { LogPlace } from '../../domain/shared/log-place.ts';
import type { Statement } from './flush.ts';
import { type Place, type Projector, schemaOf } from './projector.ts';
import {
  createStatements,
  indexedColumns,
  indexStatements,
  qualified,
  quoted,
  versionOf,
} from './table.ts';

type Db = Kysely<unknown>;

/** Another process has written this projection: our checkpoint is not the newest. */
export class CheckpointMovedError extends Error {
  constructor(name: string) {
    super(`the checkpoint of ${name} is not where this process left it`);
    this.name = 'CheckpointMovedError';
  }
}

const execute = async <R = unknown>(db: Db, text: string, parameters: unknown[] = []) =>
  db.executeQuery<R>(CompiledQuery.raw(text, parameters));

const positionText = (position: bigint | null): string | null =>
  position === null ? null : String(position);

/** An array as PostgreSQL reads it from text; names, numbers and event ids need no quotes. */
const arrayText = (values: readonly (string | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;

export const createCheckpointTable = async (db: Db): Promise<void> => {
  // Checkpoints of earlier releases have no event id; the next batch writes it.
  await execute(
    db,
    'CREATE SCHEMA IF NOT EXISTS projections; ' +
      'CREATE TABLE IF NOT EXISTS projections.checkpoint ' +
      '(name text PRIMARY KEY, version text NOT NULL, position int8, event_id text); ' +
      'ALTER TABLE projections.checkpoint ADD COLUMN IF NOT EXISTS event_id text',
  );
};

/** Empty tables of a projector in a schema that did not exist or is replaced; no indexes yet. */
export const createTables = async (db: Db, { tables }: Projector, schema: string) => {
  await execute(db, `DROP SCHEMA IF EXISTS ${quoted(schema)} CASCADE`);
  await execute(db, `CREATE SCHEMA ${quoted(schema)}`);
  for (const table of Object.values(tables)) {
    for (const statement of createStatements(schema, table)) await execute(db, statement);
  }
};

/** Memory for each sort of an index; the default is made for tables that grow slowly. */
const sortMemory = '256MB';

/** The rows of the log are in: adds the indexes, and tells the planner what there is. */
export const createIndexes = async ({ db, schema }: Place, { tables }: Projector) => {
  await execute(db, `SET LOCAL maintenance_work_mem = '${sortMemory}'`);
  for (const table of Object.values(tables)) {
    for (const statement of indexStatements(schema, table)) await execute(db, statement);
    await execute(db, `ANALYZE ${qualified(schema, table.name)} (${indexedColumns(table)})`);
  }
};

export type Checkpoint = Readonly<{ version: string; at: LogPlace | null }>;

export const readCheckpoint = async (db: Db, name: string): Promise<Checkpoint | null> => {
  type Stored = { version: string; position: string | null; event_id?: string | null };
  const { rows } = await execute<Stored>(
    db,
    'SELECT version, position::text AS position, event_id FROM projections.checkpoint ' +
      'WHERE name = $1',
    [name],
  );
  const row = rows[0];
  if (row === undefined) return null;
  const { version, position, event_id: eventId = null } = row;
  return { version, at: position === null ? null : { position: BigInt(position), eventId } };
};

const checkpointTable = 'projections.checkpoint';

/** Tables of projectors, and the one of their checkpoints, that do not exist. */
export const missingTables = async (
  db: Db,
  projectors: readonly Projector[],
): Promise<readonly string[]> => {
  const own = projectors.flatMap(({ name, tables }) =>
    Object.values(tables).map((table) => `${schemaOf(name)}.${table.name}`),
  );
  const { rows } = await execute<{ name: string }>(
    db,
    'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NULL',
    [[checkpointTable, ...own]],
  );
  return rows.map(({ name }) => name);
};

/** Ends the version of tables that are on their way from the start of the log: no indexes yet. */
const freshMark = '+fresh';

export type Prepared = Readonly<{ at: LogPlace | null; fresh: boolean }>;

/**
 * The tables of a projector as its code wants them, and how far they are. Tables of another
 * version, and those that do not belong to the log (`anew`), are dropped and begin again from it.
 */
export const prepareTables = (db: Db, projector: Projector, anew: boolean): Promise<Prepared> =>
  db.transaction().execute(async (trx) => {
    const version = versionOf(projector.version, projector.tables);
    const freshVersion = version + freshMark;
    const checkpoint = anew ? null : await readCheckpoint(trx, projector.name);
    if (checkpoint?.version === version) return { at: checkpoint.at, fresh: false };
    if (checkpoint?.version === freshVersion) return { at: checkpoint.at, fresh: true };
    await createTables(trx, projector, schemaOf(projector.name));
    await execute(
      trx,
      'INSERT INTO projections.checkpoint (name, version, position) VALUES ($1, $2, NULL) ' +
        'ON CONFLICT (name) DO UPDATE SET version = excluded.version, position = NULL, ' +
        'event_id = NULL',
      [projector.name, freshVersion],
    );
    return { at: null, fresh: true };
  });

/** Fresh tables have come to the head of the log: from here on they are as any others. */
export const finishTables = (db: Db, projector: Projector): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const version = versionOf(projector.version, projector.tables);
    await createIndexes({ db: trx, schema: schemaOf(projector.name) }, projector);
    await execute(
      trx,
      'UPDATE projections.checkpoint SET version = $2 WHERE name = $1 AND version = $3',
      [projector.name, version, version + freshMark],
    );
  });

export type Step = Readonly<{
  name: string;
  from: LogPlace | null;
  to: bigint;
  /** Of the event at `to`. */
  eventId: string | null;
}>;

/**
 * Moves a checkpoint from where this process left it. First in the transaction: of two processes
 * that believe to be active, one waits here and then fails.
 * @throws CheckpointMovedError
 */
export const moveCheckpoint = async (db: Db, { name, from, to, eventId }: Step): Promise<void> => {
  const { numAffectedRows } = await execute(
    db,
    'UPDATE projections.checkpoint SET position = $2::int8, event_id = $4 ' +
      'WHERE name = $1 AND position IS NOT DISTINCT FROM $3::int8 ' +
      'AND ($5::text IS NULL OR event_id = $5)',
    [name, positionText(to), positionText(from?.position ?? null), eventId, from?.eventId ?? null],
  );
  if (numAffectedRows !== 1n) throw new CheckpointMovedError(name);
};

export type SharedStep = Readonly<{
  /** Each projection, and where this process left it. */
  from: readonly Readonly<{ name: string; at: LogPlace | null }>[];
  to: bigint;
  eventId: string | null;
}>;

/**
 * Is each where this process left it, `m`? A backup may stand at the same position of another log, so the
 * event counts too, where it is known.
 */
const isUnmoved =
  'WHERE c.name = m.name AND c.position IS NOT DISTINCT FROM m.position ' +
  'AND (m.event_id IS NULL OR c.event_id = m.event_id)';
const unmovedFrom =
  'FROM unnest($3::text[], $4::int8[], $5::text[]) AS m(name, position, event_id) ';

const placesOf = (from: SharedStep['from']) => ({
  names: from.map(({ name }) => name),
  positions: from.map(({ at }) => positionText(at?.position ?? null)),
  eventIds: from.map(({ at }) => at?.eventId ?? null),
});

/**
 * The same for several projections that go on to one place; all of them move, or none.
 * @throws CheckpointMovedError
 */
export const moveCheckpoints = async (db: Db, { from, to, eventId }: SharedStep): Promise<void> => {
  const { names, positions, eventIds } = placesOf(from);
  const { numAffectedRows } = await execute(
    db,
    'UPDATE projections.checkpoint AS c SET position = $1::int8, event_id = $2 ' +
      unmovedFrom +
      isUnmoved,
    [positionText(to), eventId, names, positions, eventIds],
  );
  if (numAffectedRows !== BigInt(from.length)) throw new CheckpointMovedError(names.join(', '));
};

/**
 * The same as the first statement of a batch: a division by zero ends the batch where one of them
 * is not where this process left it.
 */
export const checkpointStatement = ({ from, to, eventId }: SharedStep): Statement => {
  const { names, positions, eventIds } = placesOf(from);
  return {
    text:
      'WITH moved AS (UPDATE projections.checkpoint AS c SET position = $1::int8, event_id = $2 ' +
      `${unmovedFrom}${isUnmoved} RETURNING 1) ` +
      'SELECT 1 / (count(*) = $6::int8)::int FROM moved',
    values: [
      positionText(to),
      eventId,
      arrayText(names),
      arrayText(positions),
      arrayText(eventIds),
      String(from.length),
    ],
  };
};

/**
 * Puts freshly built tables in place of the old ones, with their checkpoint, at one moment. The old
 * ones are dropped afterwards, so that readers who still hold them finish undisturbed.
 */
export const swapTables = async (
  db: Db,
  projector: Projector,
  built: Readonly<{ schema: string; at: LogPlace | null }>,
): Promise<void> => {
  const schema = schemaOf(projector.name);
  const old = `${schema}_old`;
  await db.transaction().execute(async (trx) => {
    await execute(trx, `DROP SCHEMA IF EXISTS ${quoted(old)} CASCADE`);
    await execute(trx, `CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`);
    await execute(trx, `ALTER SCHEMA ${quoted(schema)} RENAME TO ${quoted(old)}`);
    await execute(trx, `ALTER SCHEMA ${quoted(built.schema)} RENAME TO ${quoted(schema)}`);
    await execute(
      trx,
      'UPDATE projections.checkpoint SET position = $2::int8, event_id = $4, version = $3 ' +
        'WHERE name = $1',
      [
        projector.name,
        positionText(built.at?.position ?? null),
        versionOf(projector.version, projector.tables),
        built.at?.eventId ?? null,
      ],
    );
  });
  await execute(db, `DROP SCHEMA IF EXISTS ${quoted(old)} CASCADE`);
};
