import { type Kysely, sql } from 'kysely';
import type { AccountRow, LedgerRow, LedgerSchema } from './table.ts';

type Db = Kysely<LedgerSchema>;
/** `kind` "" means all; times are Unix seconds, inclusive, 0 for open. */
export type LedgerFilter = Readonly<{ userId: number; kind: string; start: number; end: number }>;

const matching = (db: Db, { userId, kind, start, end }: LedgerFilter) => {
  let query = db.selectFrom('ledger.entries').where('user_id', '=', userId);
  if (kind !== '') query = query.where(sql<string>`kind`, '=', kind);
  if (start > 0) query = query.where('at', '>=', start);
  if (end > 0) query = query.where('at', '<=', end);
  return query;
};

/** Without a range the counts of the days answer, however long the account is. */
const countEntries = async (db: Db, filter: LedgerFilter): Promise<number> => {
  if (filter.start > 0 || filter.end > 0) {
    const { total } = await matching(db, filter)
      .select(sql<number>`count(*)`.as('total'))
      .executeTakeFirstOrThrow();
    return Number(total);
  }
  let query = db.selectFrom('ledger.days').where('user_id', '=', filter.userId);
  if (filter.kind !== '') query = query.where('kind', '=', filter.kind);
  const { total } = await query
    .select(sql<number>`coalesce(sum(count), 0)::int8`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
};

/** Newest first. */
export const listMovements = async (
  db: Db,
  filter: LedgerFilter,
  { page, pageSize }: Readonly<{ page: number; pageSize: number }>,
): Promise<{ rows: LedgerRow[]; total: number }> => {
  const rows = await matching(db, filter)
    .selectAll()
    .orderBy('position', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  return { rows, total: await countEntries(db, filter) };
};

/** Movements before a place in the log, newest first; null: from the end. */
export const movementsBefore = (
  db: Db,
  filter: LedgerFilter,
  { before, limit }: Readonly<{ before: number | null; limit: number }>,
): Promise<LedgerRow[]> => {
  const query = matching(db, filter).selectAll().orderBy('position', 'desc').limit(limit);
  return (before === null ? query : query.where('position', '<', before)).execute();
};

/** Movements by event id or by the id of their request. */
export const movementsNamed = (
  db: Db,
  userId: number,
  ids: readonly string[],
): Promise<LedgerRow[]> =>
  db
    .selectFrom('ledger.entries')
    .selectAll()
    .where('user_id', '=', userId)
    .where(
      sql<boolean>`(event_id = ANY(${[...ids]}::text[]) OR request_id = ANY(${[...ids]}::text[]))`,
    )
    .orderBy('position')
    .execute();

export const accountOf = async (db: Db, userId: number): Promise<AccountRow> =>
  (await db
    .selectFrom('ledger.accounts')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst()) ?? { user_id: userId, balance: 0, used: 0 };
