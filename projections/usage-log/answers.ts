import type { Kysely } from 'kysely';
import type { CountBefore, CountedBefore } from '../../domain/site/messages.ts';
import type { Bus, Stop } from '../../infra/ports/bus.ts';
import { countBefore } from './queries.ts';
import type { UsageLogSchema } from './table.ts';

/** Reports to the write side how many entries a cut removes, for its reply. */
export const serveUsageLog = (bus: Bus, anyDb: Kysely<unknown>): Promise<Stop> => {
  const db = anyDb.withTables<UsageLogSchema>();
  return bus.serve<CountBefore, CountedBefore>('usage-log.count-before', async ({ before }) => ({
    count: await countBefore(db, before),
  }));
};
