import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** The tables in which people see a charge, queried by request ids. */
const questions = {
  'usage log': 'SELECT request_id FROM usage_log.entries WHERE request_id = ANY($1)',
  ledger: 'SELECT request_id FROM ledger.entries WHERE request_id = ANY($1)',
} as const;
type Shown = keyof typeof questions;

const pollMs = 10;
const patienceMs = 10_000;

/** Each query has a separate connection, so that none waits for another. */
const connections = 4;

/** All of them are open at once and stay so: what their processes spend is not the product's. */
const openPool = async (connectionString: string) => {
  const pool = new pg.Pool({ connectionString, max: connections, idleTimeoutMillis: 0 });
  const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()));
  const pids = new Set<number>();
  for (const client of clients) {
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    pids.add(rows[0].pid);
    client.release();
  }
  return { pool, pids };
};

/** Charges as the read models of a running product have them. */
export const openReadModels = async (dataDir: string) => {
  const { databaseUrl } = JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8'));
  const { pool: client, pids } = await openPool(databaseUrl);

  const untilShown = async (shown: Shown, requestId: string): Promise<number> => {
    const begun = performance.now();
    while (performance.now() - begun < patienceMs) {
      const { rowCount } = await client.query(questions[shown], [[requestId]]);
      if (rowCount !== 0) return performance.now() - begun;
      await sleep(pollMs);
    }
    throw new Error(`${requestId} does not appear in the ${shown}`);
  };

  return {
    /** The processes of PostgreSQL that answer these questions. */
    pids,
    count: async (): Promise<number> => {
      const { rows } = await client.query(
        'SELECT count(*)::int AS charges FROM ledger.entries WHERE kind = $1',
        ['RequestCharged'],
      );
      return rows[0]?.charges ?? 0;
    },
    /** Milliseconds from the end of a call until both tables have its charge. */
    msUntilSeen: async (requestId: string): Promise<number> => {
      const waited = await Promise.all([
        untilShown('usage log', requestId),
        untilShown('ledger', requestId),
      ]);
      return Math.max(...waited);
    },
    close: () => client.end(),
  };
};
