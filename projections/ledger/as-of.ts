import { type Kysely, sql } from 'kysely';
import { accountOf } from './queries.ts';
import type { LeaseRow, LedgerSchema } from './table.ts';

type Db = Kysely<LedgerSchema>;

/** An account at an instant, in quota units. */
export type AccountThen = Readonly<{
  balance: number;
  used: number;
  leases: readonly LeaseRow[];
}>;

const openNow = (db: Db, userId: number): Promise<LeaseRow[]> =>
  db
    .selectFrom('ledger.leases')
    .selectAll()
    .where('user_id', '=', userId)
    .where('closed_at', '=', 0)
    .orderBy('opened_position')
    .execute();

/** Leases that were open then, with what they held and what had been spent of them by then. */
const openThen = async (db: Db, userId: number, at: number): Promise<LeaseRow[]> => {
  const { rows } = await sql<LeaseRow>`
    SELECT lease.id, lease.lease_id, lease.user_id, lease.token_id, lease.relay_id,
      lease.opened_position, lease.opened_at, lease.closed_at,
      coalesce((SELECT sum(move.amount) FROM ledger.lease_moves AS move
        WHERE move.user_id = lease.user_id AND move.position >= lease.opened_position
          AND move.lease_id = lease.lease_id AND move.at <= ${at}), 0)::int8 AS amount,
      coalesce((SELECT -sum(entry.delta) FROM ledger.entries AS entry
        WHERE entry.user_id = lease.user_id AND entry.position > lease.opened_position
          AND entry.lease_id = lease.lease_id AND entry.at <= ${at}), 0)::int8 AS spent
    FROM ledger.leases AS lease
    WHERE lease.user_id = ${userId} AND lease.opened_at <= ${at}
      AND (lease.closed_at = 0 OR lease.closed_at > ${at})
    ORDER BY lease.opened_position`.execute(db);
  return rows;
};

const balanceThen = async (db: Db, userId: number, at: number): Promise<number> => {
  const last = await db
    .selectFrom('ledger.entries')
    .select('balance_after')
    .where('user_id', '=', userId)
    .where('at', '<=', at)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.balance_after ?? 0;
};

const usedThen = async (db: Db, userId: number, at: number): Promise<number> => {
  const { used } = await db
    .selectFrom('ledger.entries')
    .select(sql<number>`coalesce(-sum(delta), 0)::int8`.as('used'))
    .where('user_id', '=', userId)
    .where('at', '<=', at)
    .where('kind', 'in', ['RequestCharged', 'RequestRefunded'])
    .executeTakeFirstOrThrow();
  return used;
};

/** The account as it was at the end of a second (Unix); null: as it is now. */
export const accountAsOf = async (
  db: Db,
  userId: number,
  at: number | null,
): Promise<AccountThen> => {
  if (at === null) {
    const { balance, used } = await accountOf(db, userId);
    return { balance, used, leases: await openNow(db, userId) };
  }
  const [balance, used, leases] = await Promise.all([
    balanceThen(db, userId, at),
    usedThen(db, userId, at),
    openThen(db, userId, at),
  ]);
  return { balance, used, leases };
};

/** Points of a chart of balances. */
const maxInstants = 48;

/** Evenly spaced whole seconds from `start` to `end`, both among them; none where it is reversed. */
export const instantsOf = (start: number, end: number): readonly number[] => {
  if (start < 0 || end < start) return [];
  const count = Math.min(maxInstants, end - start + 1);
  if (count === 1) return [start];
  const step = (end - start) / (count - 1);
  return Array.from({ length: count }, (_, at) => Math.round(start + at * step));
};

/** The balance at the end of each of these seconds, in one query; 0 before the first movement. */
export const balancesAt = async (
  db: Db,
  userId: number,
  instants: readonly number[],
): Promise<{ at: number; balance: number }[]> => {
  if (instants.length === 0) return [];
  const { rows } = await sql<{ at: number; balance: number }>`
    SELECT instant.at, coalesce((SELECT entry.balance_after FROM ledger.entries AS entry
      WHERE entry.user_id = ${userId} AND entry.at <= instant.at
      ORDER BY entry.position DESC LIMIT 1), 0)::int8 AS balance
    FROM unnest(${[...instants]}::int8[]) AS instant (at)
    ORDER BY instant.at`.execute(db);
  return rows;
};
