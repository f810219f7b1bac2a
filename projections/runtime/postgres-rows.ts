import { CompiledQuery, type Kysely } from 'kysely';
import { asStatements, flush, runTogether, type Statement } from './flush.ts';
import { schemaOf } from './projector.ts';
import {
  type Checkpoint,
  CheckpointMovedError,
  type RowStore,
  type Selection,
  type Step,
} from './row-store.ts';
import {
  createStatements,
  indexedColumns,
  indexStatements,
  qualified,
  quoted,
  type Row,
  sqlType,
} from './table.ts';

type Db = Kysely<unknown>;

const execute = async <R = unknown>(db: Db, text: string, parameters: unknown[] = []) =>
  db.executeQuery<R>(CompiledQuery.raw(text, parameters));

const positionText = (position: bigint | null): string | null =>
  position === null ? null : String(position);

/** An array as PostgreSQL reads it from text; names, numbers and event ids need no quotes. */
const arrayText = (values: readonly (string | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;

/** `pg_advisory_lock` key of the one process that may write the read models of a database. */
const lockKey = 7_164_118_201;
/** Memory for each sort of an index; the default is made for tables that grow slowly. */
const sortMemory = '256MB';
const checkpointTable = 'projections.checkpoint';

const createCheckpointTable = async (db: Db): Promise<void> => {
  await execute(
    db,
    'CREATE SCHEMA IF NOT EXISTS projections; ' +
      'CREATE TABLE IF NOT EXISTS projections.checkpoint ' +
      '(name text PRIMARY KEY, version text NOT NULL, position int8, event_id text)',
  );
};

type Rows = Pick<RowStore, 'createTables' | 'createIndexes' | 'missingTables' | 'swapTables'>;

const tablesIn = (db: Db): Rows => ({
  missingTables: async (projectors) => {
    const tables = projectors.flatMap((projector) =>
      Object.values(projector.tables).map(({ name }) => `${schemaOf(projector.name)}.${name}`),
    );
    const { rows } = await execute<{ name: string }>(
      db,
      'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NULL',
      [[checkpointTable, ...tables]],
    );
    return rows.map(({ name }) => name);
  },
  createTables: async ({ tables }, schema) => {
    await execute(db, `DROP SCHEMA IF EXISTS ${quoted(schema)} CASCADE`);
    await execute(db, `CREATE SCHEMA ${quoted(schema)}`);
    for (const table of Object.values(tables)) {
      for (const statement of createStatements(schema, table)) await execute(db, statement);
    }
  },
  createIndexes: async ({ tables }, schema) => {
    await execute(db, `SET LOCAL maintenance_work_mem = '${sortMemory}'`);
    for (const table of Object.values(tables)) {
      for (const statement of indexStatements(schema, table)) await execute(db, statement);
      await execute(db, `ANALYZE ${qualified(schema, table.name)} (${indexedColumns(table)})`);
    }
  },
  swapTables: async ({ name }, built, { version, at }) => {
    const schema = schemaOf(name);
    const old = `${schema}_old`;
    await db.transaction().execute(async (trx) => {
      await execute(trx, `DROP SCHEMA IF EXISTS ${quoted(old)} CASCADE`);
      await execute(trx, `CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`);
      await execute(trx, `ALTER SCHEMA ${quoted(schema)} RENAME TO ${quoted(old)}`);
      await execute(trx, `ALTER SCHEMA ${quoted(built)} RENAME TO ${quoted(schema)}`);
      await execute(
        trx,
        'UPDATE projections.checkpoint SET position = $2::int8, event_id = $4, version = $3 ' +
          'WHERE name = $1',
        [name, positionText(at?.position ?? null), version, at?.eventId ?? null],
      );
    });
    await execute(db, `DROP SCHEMA IF EXISTS ${quoted(old)} CASCADE`);
  },
});

/**
 * Whether each is where this process left it, `m`. A backup may be at the same position of another
 * log, so the event counts too; a step from the beginning has none.
 */
const moved =
  'UPDATE projections.checkpoint AS c SET position = $1::int8, event_id = $2 ' +
  'FROM unnest($3::text[], $4::int8[], $5::text[]) AS m(name, position, event_id) ' +
  'WHERE c.name = m.name AND c.position IS NOT DISTINCT FROM m.position ' +
  'AND (m.event_id IS NULL OR c.event_id = m.event_id)';

const parametersOf = ({ from, to, eventId }: Step) => ({
  to: positionText(to),
  eventId,
  names: from.map(({ name }) => name),
  positions: from.map(({ at }) => positionText(at?.position ?? null)),
  eventIds: from.map(({ at }) => at?.eventId ?? null),
});

const movedError = ({ from }: Step): CheckpointMovedError =>
  new CheckpointMovedError(from.map(({ name }) => name).join(', '));

const moveCheckpoints = async (db: Db, step: Step): Promise<void> => {
  const { to, eventId, names, positions, eventIds } = parametersOf(step);
  const { numAffectedRows } = await execute(db, moved, [to, eventId, names, positions, eventIds]);
  if (numAffectedRows !== BigInt(names.length)) throw movedError(step);
};

/** PostgreSQL's code of a division by zero. */
const divisionByZero = '22012';

/** First of a batch: a division by zero ends the batch where a checkpoint is elsewhere. */
const checkpointStatement = (step: Step): Statement => {
  const { to, eventId, names, positions, eventIds } = parametersOf(step);
  return {
    text: `WITH moved AS (${moved} RETURNING 1) SELECT 1 / (count(*) = $6::int8)::int FROM moved`,
    values: [
      to,
      eventId,
      arrayText(names),
      arrayText(positions),
      arrayText(eventIds),
      String(names.length),
    ],
  };
};

const readCheckpoint = async (db: Db, name: string): Promise<Checkpoint | null> => {
  type Stored = { version: string; position: string | null; event_id: string | null };
  const { rows } = await execute<Stored>(
    db,
    'SELECT version, position::text AS position, event_id FROM projections.checkpoint ' +
      'WHERE name = $1',
    [name],
  );
  const row = rows[0];
  if (row === undefined) return null;
  const { version, position, event_id } = row;
  const at = position === null ? null : { position: BigInt(position), eventId: event_id ?? '' };
  return { version, at };
};

const resetCheckpoint = async (db: Db, name: string, version: string): Promise<void> => {
  await execute(
    db,
    'INSERT INTO projections.checkpoint (name, version, position) VALUES ($1, $2, NULL) ' +
      'ON CONFLICT (name) DO UPDATE SET version = excluded.version, position = NULL, ' +
      'event_id = NULL',
    [name, version],
  );
};

/** Values of `and` are part of the text, so that a partial index fits. */
const select = async <R extends Row>(
  db: Db,
  schema: string,
  { table, column, values, and = {} }: Selection,
): Promise<readonly R[]> => {
  const type = sqlType(table.columns[column] ?? 'text');
  const others = Object.entries(and).map(([name, value]) => `${quoted(name)} = ${value}`);
  const where = [...others, `${quoted(column)} = ANY($1::${type}[])`].join(' AND ');
  const text = `SELECT * FROM ${qualified(schema, table.name)} WHERE ${where}`;
  return (await execute<R>(db, text, [values])).rows;
};

const withLock = (db: Db, task: (ping: () => Promise<void>) => Promise<void>): Promise<boolean> =>
  db.connection().execute(async (connection) => {
    const { rows } = await execute<{ held: boolean }>(
      connection,
      'SELECT pg_try_advisory_lock($1) AS held',
      [lockKey],
    );
    if (rows[0]?.held !== true) return false;
    try {
      await task(async () => void (await execute(connection, 'SELECT 1')));
    } finally {
      await execute(connection, 'SELECT pg_advisory_unlock($1)', [lockKey]).catch(() => undefined);
    }
    return true;
  });

/** The read models of a PostgreSQL database, or what one transaction on it does. */
export const createPostgresRows = (db: Db): RowStore => ({
  db,
  ...tablesIn(db),
  transaction: (task) => db.transaction().execute((trx) => task(createPostgresRows(trx))),
  withLock: (task) => withLock(db, task),
  createCheckpointTable: () => createCheckpointTable(db),
  readCheckpoint: (name) => readCheckpoint(db, name),
  resetCheckpoint: (name, version) => resetCheckpoint(db, name, version),
  changeVersion: async (name, from, to) => {
    const text = 'UPDATE projections.checkpoint SET version = $2 WHERE name = $1 AND version = $3';
    await execute(db, text, [name, to, from]);
  },
  moveCheckpoints: (step) => moveCheckpoints(db, step),
  write: (written) => flush(db, written),
  writeWithStep: async (step, written) => {
    const statements = asStatements(written);
    if (statements === null) return false;
    await runTogether(db, [checkpointStatement(step), ...statements]).catch((error: unknown) => {
      const isMoved = error instanceof Error && 'code' in error && error.code === divisionByZero;
      throw isMoved ? movedError(step) : error;
    });
    return true;
  },
  select: (schema, selection) => select(db, schema, selection),
});
