import { CompiledQuery, type Kysely } from 'kysely';
import type { Timers } from '../../infra/ports/timers.ts';
import { pause } from './db-errors.ts';

/** `pg_advisory_lock` key of the one process that may write the read models of a database. */
const lockKey = 7_164_118_201;
const heartbeatMs = 2_000;

type Db = Kysely<unknown>;
type Place = Readonly<{ db: Db; timers: Timers }>;

/** The session that holds the lock has to stay alive; without it another process takes over. */
const watch = async ({ db, timers }: Place, lost: AbortController): Promise<void> => {
  while (!lost.signal.aborted) {
    await pause(timers, heartbeatMs, lost.signal);
    try {
      await db.executeQuery(CompiledQuery.raw('SELECT 1'));
    } catch {
      lost.abort();
    }
  }
};

/**
 * Runs `task` while this process holds the lock; its signal aborts when the lock is lost.
 * Answers false when another process holds it.
 */
export const asLeader = (
  { db, timers }: Place,
  signal: AbortSignal,
  task: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> =>
  db.connection().execute(async (connection) => {
    const { rows } = await connection.executeQuery<{ held: boolean }>(
      CompiledQuery.raw('SELECT pg_try_advisory_lock($1) AS held', [lockKey]),
    );
    if (rows[0]?.held !== true) return false;
    const lost = new AbortController();
    const abort = () => lost.abort();
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const watching = watch({ db: connection, timers }, lost);
    try {
      await task(lost.signal);
    } finally {
      signal.removeEventListener('abort', abort);
      abort();
      await watching;
      await connection
        .executeQuery(CompiledQuery.raw('SELECT pg_advisory_unlock($1)', [lockKey]))
        .catch(() => undefined);
    }
    return true;
  });
