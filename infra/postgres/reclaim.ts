import pg from 'pg';

/** A table in use is waited for this long, then left for another time. */
const lockTimeout = '10s';
const settleMs = 300;

const connected = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, application_name: 'tollgate scavenge' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
};

const isThere = async (client: pg.Client, table: string): Promise<boolean> => {
  const text = 'select to_regclass($1) is not null as there';
  return (await client.query<{ there: boolean }>(text, [table])).rows[0]?.there === true;
};

export type Reclaimed = Readonly<{ done: readonly string[]; busy: readonly string[] }>;

/**
 * Rewrites tables, so that no byte of a replaced row is left in their files, nor in what the
 * planner has sampled of them. Tables are locked meanwhile. Names have to be trusted.
 */
export const rewriteTables = (url: string, tables: readonly string[]): Promise<Reclaimed> =>
  connected(url, async (client) => {
    await client.query(`set lock_timeout = '${lockTimeout}'`);
    const done: string[] = [];
    const busy: string[] = [];
    for (const table of tables) {
      if (!(await isThere(client, table))) continue;
      const isDone = await client.query(`vacuum (full, analyze) ${table}`).then(
        () => true,
        () => false,
      );
      (isDone ? done : busy).push(table);
    }
    // Samples of values are stored here, and remain until it is rewritten as well.
    await client.query('vacuum full pg_catalog.pg_statistic').catch(() => busy.push('statistics'));
    return { done, busy };
  });

/**
 * Overwrites the write-ahead log: segments contain former rows, and are used again as they are. For
 * an embedded engine only, since it needs its super user and breaks what replicas and archives
 * read.
 */
export const renewWriteAheadLog = (url: string): Promise<number> =>
  connected(url, async (client) => {
    const set = async (words: string): Promise<void> => {
      await client.query(`alter system ${words}`);
      await client.query('select pg_reload_conf()');
      await new Promise((resolve) => setTimeout(resolve, settleMs));
    };
    await set('set wal_recycle = off');
    try {
      await client.query('checkpoint');
      const { rows } = await client.query<{ count: number }>(
        "select count(*)::int4 as count from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$'",
      );
      const count = rows[0]?.count ?? 0;
      for (let nth = 0; nth < count; nth += 1) {
        // A switch needs something to switch from, and fills the rest of its segment with zeros.
        await client.query("select pg_logical_emit_message(false, 'tollgate', 'scavenge')");
        await client.query('select pg_switch_wal()');
      }
      await client.query('checkpoint');
      return count;
    } finally {
      await set('reset wal_recycle');
    }
  });
