import type pg from 'pg';

/** `name` stays for ever; `statements` never change once released. */
export type Migration = Readonly<{ name: string; statements: string }>;

/** Any number of processes may start at once; one migrates, the others wait. */
const migrationLock = 7_405_001;

/**
 * Brings a database forward; there is no way back. Each step commits with its mark.
 * @throws when a step fails; the steps before it stay
 */
export const migrate = async (pool: pg.Pool, migrations: readonly Migration[]): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz default now())',
    );
    const { rows } = await client.query<{ name: string }>('select name from migrations');
    const applied = new Set(rows.map(({ name }) => name));
    for (const { name, statements } of migrations) {
      if (applied.has(name)) continue;
      await client.query('begin');
      await client.query(statements);
      await client.query('insert into migrations (name) values ($1)', [name]);
      await client.query('commit');
    }
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => undefined);
    client.release();
  }
};
