import type { Kysely } from 'kysely';
import type { FindMovements, FoundMovements } from '../../domain/account/queries.ts';
import type { Bus, Stop } from '../../infra/ports/bus.ts';
import { movementsNamed } from './queries.ts';
import type { LedgerSchema } from './table.ts';

/** Reports to the write side which movements of an account exist, before it corrects them. */
export const serveLedger = (bus: Bus, anyDb: Kysely<unknown>): Promise<Stop> => {
  const db = anyDb.withTables<LedgerSchema>();
  return bus.serve<FindMovements, FoundMovements>('ledger.find', async ({ userId, ids }) => {
    const rows = await movementsNamed(db, userId, ids);
    const known = new Set(rows.flatMap(({ event_id, request_id }) => [event_id, request_id]));
    return { found: ids.filter((id) => known.has(id)) };
  });
};
