import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';
import { eventStoreMigrations } from '../embedded/event-store/log/schema.ts';
import { copyFromStream, copyToStream } from '../postgres/copy-stream.ts';
import { createPool, parseInt8 } from '../postgres/create-database.ts';
import { migrate } from '../postgres/migrate.ts';
import { BackupError, type CopiedTable, type Manifest } from './manifest.ts';

/** Where the embedded event store keeps its log; streams before the events that name them. */
const tables = ['streams', 'events'] as const;

export type CopiedLog = Pick<Manifest, 'head' | 'migrations' | 'tables'>;

const connected = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, application_name: 'tollgate-backup' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const noTable = '42P01';
const noDatabase = '3D000';

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof pg.DatabaseError && codes.includes(error.code ?? '');

const orNoLog = (error: unknown): never => {
  if (!hasCode(error, noTable, noDatabase)) throw error;
  throw new BackupError(
    'there is no embedded event log; what EVENTSTORE_URL named has means of its own',
  );
};

const columnsOf = async (client: pg.Client, table: string): Promise<string[]> => {
  const { rows } = await client.query<{ column_name: string }>(
    `select column_name from information_schema.columns
     where table_schema = 'public' and table_name = $1 order by ordinal_position`,
    [table],
  );
  return rows.map(({ column_name }) => column_name);
};

const copyTable = async (client: pg.Client, name: string, backup: string): Promise<CopiedTable> => {
  const file = `event-store/${name}.copy.gz`;
  const columns = await columnsOf(client, name);
  await mkdir(join(backup, dirname(file)), { recursive: true });
  const gzip = createGzip({ level: 3 });
  const isWritten = pipeline(
    gzip,
    createWriteStream(join(backup, file), { mode: 0o600, flush: true }),
  );
  const rows = copyToStream(client, `select ${columns.join(', ')} from ${name}`, gzip).finally(() =>
    gzip.end(),
  );
  const [, count] = await Promise.all([isWritten, rows]);
  return { name, columns, rows: count, file };
};

/**
 * Copies the log of the embedded event store as it is at one moment, while the node continues to
 * write.
 * @throws BackupError when the database holds none
 */
export const copyLog = (url: string, backup: string): Promise<CopiedLog> =>
  connected(url, async (client) => {
    await client.query('begin isolation level repeatable read, read only');
    const heads = await client.query<{ head: string }>(
      'select coalesce(max(position), 0)::text as head from events',
    );
    const applied = await client.query<{ name: string }>('select name from migrations');
    const names = new Set(applied.rows.map(({ name }) => name));
    const copied: CopiedTable[] = [];
    for (const name of tables) copied.push(await copyTable(client, name, backup));
    await client.query('commit');
    return {
      head: parseInt8(heads.rows[0]?.head ?? '0'),
      migrations: [...names].sort(),
      tables: copied,
    };
  }).catch(orNoLog);

const makeTables = async (url: string, names: readonly string[]): Promise<void> => {
  const known = new Set(eventStoreMigrations.map(({ name }) => name));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new BackupError(`a newer release wrote the backup: ${unknown.join(', ')} is unsupported`);
  }
  const pool = createPool({ url, applicationName: 'tollgate-restore', maxConnections: 1 });
  try {
    // The node applies later migrations when it starts, as for any older log.
    await migrate(
      pool,
      eventStoreMigrations.filter(({ name }) => names.includes(name)),
    );
  } finally {
    await pool.end();
  }
};

const fillTable = async (
  client: pg.Client,
  { name, columns, rows, file }: CopiedTable,
  backup: string,
): Promise<void> => {
  const gunzip = createGunzip();
  const isRead = pipeline(createReadStream(join(backup, file)), gunzip);
  const filled = copyFromStream(client, `${name} (${columns.join(', ')})`, gunzip);
  const [count] = await Promise.all([filled, isRead]);
  if (count !== rows) {
    throw new BackupError(`${file} has ${count} rows, and ${rows} were backed up`);
  }
};

/**
 * Fills an empty database with the log of a backup.
 * @throws BackupError when the database holds a log already, or the backup differs from its
 * manifest
 */
export const restoreLog = async (
  url: string,
  backup: string,
  { migrations, tables: copied }: CopiedLog,
): Promise<void> => {
  await makeTables(url, migrations);
  await connected(url, async (client) => {
    const found = await client.query('select 1 from streams limit 1');
    if (found.rowCount !== 0) {
      const { rows } = await client.query<{ data_directory: string }>('show data_directory');
      throw new BackupError(`there is a log already, in ${rows[0]?.data_directory}; move it away`);
    }
    await client.query('begin');
    for (const table of copied) await fillTable(client, table, backup);
    await client.query('commit');
    await client.query('analyze');
  });
};
