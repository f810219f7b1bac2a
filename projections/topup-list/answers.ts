import type { Kysely } from 'kysely';
import type { DueTopUps, DueTopUpsRequest } from '../../domain/topup/messages.ts';
import type { Bus, Stop } from '../../infra/ports/bus.ts';
import { dueOrders } from './queries.ts';
import type { TopUpListSchema } from './table.ts';

/** Answers which orders were not paid in time. */
export const serveTopUps = (bus: Bus, anyDb: Kysely<unknown>): Promise<Stop> => {
  const db = anyDb.withTables<TopUpListSchema>();
  return bus.serve<DueTopUpsRequest, DueTopUps>('topup-list.due', async ({ at, limit }) => ({
    tradeNos: await dueOrders(db, at, limit),
  }));
};
