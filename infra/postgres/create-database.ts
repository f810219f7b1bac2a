import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { CopyingClient } from './copy-rows.ts';

const int8Oid = 20;

/**
 * A new backend costs PostgreSQL some 100 ms of CPU until it has read tables and statements; those
 * that a burst of every few seconds needs stay open.
 */
const idleTimeoutMillis = 60_000;

/**
 * int8 is returned as a number, because quota and counts are safe integers by contract, and adding
 * strings up is the classic fault of this driver. Anything beyond 2^53 is refused, not rounded.
 * Places in the log are the exception: read them with `asText`, since a log may count in bytes.
 * @throws RangeError beyond 2^53
 */
export const parseInt8 = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} is not a safe integer`);
  return value;
};

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === int8Oid && format !== 'binary'
      ? parseInt8
      : pg.types.getTypeParser(oid, format ?? 'text')) as typeof pg.types.getTypeParser,
};

export type DatabaseOptions = Readonly<{
  url: string;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** False for what the log can rebuild: a crash may cost the last moments, never consistency. */
  synchronousCommit?: boolean;
  maxConnections?: number;
}>;

/** A pool whose idle connections may break without taking the process along. */
export const createPool = (options: DatabaseOptions): pg.Pool => {
  const pool = new pg.Pool({
    Client: CopyingClient,
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.maxConnections ?? 8,
    types,
    idleTimeoutMillis,
    ...(options.synchronousCommit === false ? { options: '-c synchronous_commit=off' } : {}),
  });
  // An idle connection that breaks is replaced by the next query; the query in need reports it.
  pool.on('error', () => undefined);
  // The same for one that breaks while a transaction holds it: its next query fails with the error.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};

export type Database<Schema> = Readonly<{
  db: Kysely<Schema>;
  pool: pg.Pool;
  close: () => Promise<void>;
}>;

export const createDatabase = <Schema = unknown>(options: DatabaseOptions): Database<Schema> => {
  const pool = createPool(options);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
};
