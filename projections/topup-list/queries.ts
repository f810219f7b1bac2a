import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import { literalPattern } from '../http/like.ts';
import type { TopUpCreditRow, TopUpListSchema, TopUpRepeatRow, TopUpRow } from './table.ts';

type Db = Kysely<TopUpListSchema>;

export type OrderFilter = Readonly<{
  /** 0: all users. */
  userId: number;
  /** Beginning of a trade number or of the provider's number. */
  keyword: string;
  /** "": all. */
  status: string;
  page: number;
  pageSize: number;
  /** Unix seconds: what is pending and past its time counts as expired. */
  now: number;
}>;
export type OrderWithCredit = TopUpRow & Readonly<{ credited_quota: number; credits: number }>;

/** Expiry depends on the clock; the event of it may follow a little later. */
const shownStatus = (now: number) =>
  sql<string>`CASE WHEN status = 'pending' AND expire_time <= ${now} THEN 'expired' ELSE status END`;

type Orders<R> = SelectQueryBuilder<TopUpListSchema, 'topup_list.orders', R>;
const filtered = <R>(
  query: Orders<R>,
  { userId, keyword, status, now }: OrderFilter,
): Orders<R> => {
  let found = query;
  if (userId > 0) found = found.where('user_id', '=', userId);
  if (status !== '') found = found.where(shownStatus(now), '=', status);
  if (keyword === '') return found;
  const pattern = `${literalPattern(keyword)}%`;
  return found.where((either) =>
    either.or([either('trade_no', 'like', pattern), either('provider_reference', 'like', pattern)]),
  );
};

const creditsOf = async (
  db: Db,
  tradeNos: readonly string[],
): Promise<ReadonlyMap<string, { quota: number; count: number }>> => {
  if (tradeNos.length === 0) return new Map();
  const rows = await db
    .selectFrom('topup_list.credits')
    .select(['trade_no', sql<string>`sum(quota)`.as('quota'), sql<string>`count(*)`.as('count')])
    .where('trade_no', 'in', [...tradeNos])
    .groupBy('trade_no')
    .execute();
  return new Map(
    rows.map(({ trade_no, quota, count }) => [
      trade_no,
      { quota: Number(quota), count: Number(count) },
    ]),
  );
};

const withCredits = async (db: Db, rows: readonly TopUpRow[]): Promise<OrderWithCredit[]> => {
  const credits = await creditsOf(
    db,
    rows.map(({ trade_no }) => trade_no),
  );
  return rows.map((row) => {
    const { quota = 0, count = 0 } = credits.get(row.trade_no) ?? {};
    return { ...row, credited_quota: quota, credits: count };
  });
};

/** Newest first. */
export const listOrders = async (
  db: Db,
  filter: OrderFilter,
): Promise<{ rows: OrderWithCredit[]; total: number }> => {
  const from = db.selectFrom('topup_list.orders');
  const rows = await filtered(from.selectAll(), filter)
    .select(shownStatus(filter.now).as('status'))
    .orderBy('position', 'desc')
    .limit(filter.pageSize)
    .offset((filter.page - 1) * filter.pageSize)
    .execute();
  const count = from.select(sql<string>`count(*)`.as('total'));
  const { total } = await filtered(count, filter).executeTakeFirstOrThrow();
  return { rows: await withCredits(db, rows), total: Number(total) };
};

/** Pending and past their time, oldest first. */
export const dueOrders = async (db: Db, at: number, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('topup_list.orders')
    .select('trade_no')
    .where('status', '=', 'pending')
    .where('expire_time', '<=', at)
    .orderBy('expire_time')
    .limit(limit)
    .execute();
  return rows.map(({ trade_no }) => trade_no);
};

export type Sums = Readonly<{ count: number; minor: number; quota: number; late: number }>;

export const paidSums = async (db: Db): Promise<Sums> => {
  const row = await db
    .selectFrom('topup_list.orders')
    .select([
      sql<string>`count(*)`.as('count'),
      sql<string>`coalesce(sum(amount_minor), 0)`.as('minor'),
      sql<string>`coalesce(sum(quota + bonus_quota), 0)`.as('quota'),
      sql<string>`count(*) FILTER (WHERE late)`.as('late'),
    ])
    .where('status', '=', 'success')
    .executeTakeFirstOrThrow();
  const { count, minor, quota, late } = row;
  return {
    count: Number(count),
    minor: Number(minor),
    quota: Number(quota),
    late: Number(late),
  };
};

export const creditSums = async (db: Db): Promise<Pick<Sums, 'count' | 'quota'>> => {
  const { count, quota } = await db
    .selectFrom('topup_list.credits')
    .select([sql<string>`count(*)`.as('count'), sql<string>`coalesce(sum(quota), 0)`.as('quota')])
    .executeTakeFirstOrThrow();
  return { count: Number(count), quota: Number(quota) };
};

/** Findings of one kind that are shown; more would not help. */
const shownFindings = 200;

/** Paid, without a grant in the ledger. `before` in Unix seconds: paid by then. */
export const paidNotCredited = async (db: Db, before: number): Promise<OrderWithCredit[]> => {
  const rows = await db
    .selectFrom('topup_list.orders as orders')
    .selectAll()
    .where('status', '=', 'success')
    .where('paid_time', '<=', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('topup_list.credits as credits')
            .select('credits.position')
            .whereRef('credits.trade_no', '=', 'orders.trade_no'),
        ),
      ),
    )
    .orderBy('orders.position')
    .limit(shownFindings)
    .execute();
  return rows.map((row) => ({ ...row, credited_quota: 0, credits: 0 }));
};

/** Newest first: nothing in the log shows that the provider gave the money back. */
export const paidAgain = (db: Db): Promise<TopUpRepeatRow[]> =>
  db
    .selectFrom('topup_list.repeats')
    .selectAll()
    .orderBy('position', 'desc')
    .limit(shownFindings)
    .execute();

export type WrongCredit = TopUpCreditRow &
  Readonly<{ problem: 'not-paid' | 'other-amount' | 'other-user' | 'credited-before' }>;

/** Quota was granted without a payment, above it, or for the second time. */
export const creditedNotPaid = async (db: Db): Promise<WrongCredit[]> => {
  const { rows } = await sql<WrongCredit>`
    SELECT * FROM (
      SELECT credits.*, CASE
        WHEN orders.status IS DISTINCT FROM 'success' THEN 'not-paid'
        WHEN orders.user_id <> credits.user_id THEN 'other-user'
        WHEN orders.quota + orders.bonus_quota <> credits.quota THEN 'other-amount'
        WHEN row_number() OVER (PARTITION BY credits.trade_no ORDER BY credits.position) > 1
          THEN 'credited-before'
      END AS problem
      FROM topup_list.credits AS credits
      LEFT JOIN topup_list.orders AS orders ON orders.trade_no = credits.trade_no
    ) AS judged
    WHERE problem IS NOT NULL ORDER BY position LIMIT ${shownFindings}`.execute(db);
  return rows.map((row) => ({
    ...row,
    position: Number(row.position),
    user_id: Number(row.user_id),
    quota: Number(row.quota),
    at: Number(row.at),
  }));
};
