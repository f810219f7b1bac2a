import { CompiledQuery, type Kysely } from 'kysely';
import type { Logger } from '../infra/ports/logger.ts';
import { personalTables } from './personal-tables.ts';

/** All projectors have processed the deletion by then, and deletions of the same moment share one run. */
const defaultAfterMs = 30_000;

export interface Reclaim {
  /** A user was deleted. */
  soon(): void;
  stop(): Promise<void>;
}

/**
 * Removes personal data of deleted rows from the pages of the tables, some moments after they left;
 * PostgreSQL by itself waits until many rows have changed.
 */
export const createReclaim = ({
  db,
  logger,
  afterMs = defaultAfterMs,
}: Readonly<{ db: Kysely<unknown>; logger: Logger; afterMs?: number }>): Reclaim => {
  let timer: NodeJS.Timeout | null = null;
  let working: Promise<void> = Promise.resolve();
  let isStopped = false;

  const vacuum = async (): Promise<void> => {
    for (const table of personalTables) {
      if (isStopped) return;
      await db.executeQuery(CompiledQuery.raw(`VACUUM (SKIP_LOCKED) ${table}`));
    }
  };

  return {
    soon: () => {
      if (timer !== null || isStopped) return;
      timer = setTimeout(() => {
        timer = null;
        working = vacuum().catch((error: unknown) =>
          logger.warn({ error: String(error) }, 'rows of people who left were not reclaimed yet'),
        );
      }, afterMs).unref();
    },
    stop: async () => {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      await working;
    },
  };
};
