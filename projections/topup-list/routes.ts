import { CompiledQuery, type Kysely } from 'kysely';
import type { Language } from '../../domain/access/language.ts';
import type { Reconciliation, TopUpOrderRow, TopUpStatus, topUpApi } from '../contract/topup.ts';
import type { ReadDeps } from '../http/read-deps.ts';
import { type CallTo, type Handlers, ok } from '../http/routes.ts';
import { minorText } from '../shared/money.ts';
import {
  creditedNotPaid,
  creditSums,
  listOrders,
  type OrderWithCredit,
  paidAgain,
  paidNotCredited,
  paidSums,
} from './queries.ts';
import type { TopUpListSchema } from './table.ts';

/** A credit follows its payment within moments; only what takes longer is a finding. */
const graceSeconds = 60;

const toWire = (
  row: OrderWithCredit,
  names: ReadonlyMap<number, string>,
  now: number,
): TopUpOrderRow => ({
  trade_no: row.trade_no,
  user_id: row.user_id,
  username: names.get(row.user_id) ?? '',
  amount: row.dollars,
  money: minorText(row.amount_minor),
  currency: row.currency,
  quota: row.quota,
  bonus_quota: row.bonus_quota,
  credited_quota: row.credited_quota,
  provider: row.provider,
  method: row.method,
  provider_reference: row.provider_reference,
  status: row.status as TopUpStatus,
  late: row.late,
  code_url: row.status === 'pending' && row.expire_time > now ? row.code_url : '',
  create_time: row.created_time,
  expire_time: row.expire_time,
  paid_time: row.paid_time,
});

const positionOf = async (db: Kysely<TopUpListSchema>): Promise<string> => {
  const text = 'SELECT position::text AS position FROM projections.checkpoint WHERE name = $1';
  const query = CompiledQuery.raw(text, ['topup-list']);
  const { rows } = await db.executeQuery<{ position: string | null }>(query);
  return rows[0]?.position ?? '';
};

export const topUpRoutes = ({ db: anyDb, lookups, clock }: ReadDeps): Handlers<typeof topUpApi> => {
  const db = anyDb.withTables<TopUpListSchema>();
  const nowSeconds = (): number => Math.floor(clock().getTime() / 1_000);

  const page = async ({ query, language }: CallTo<'GET /api/topup/'>, userId: number) => {
    const { p, page_size, ...wanted } = query;
    const now = nowSeconds();
    const filter = { ...wanted, now, page: p, pageSize: page_size };
    const mine = userId === 0 ? wanted.user_id : userId;
    const { rows, total } = await listOrders(db, { ...filter, userId: mine });
    const names = await lookups.usernames(
      rows.map(({ user_id }) => user_id),
      language,
    );
    return ok({ items: rows.map((row) => toWire(row, names, now)), page: p, page_size, total });
  };

  /** All figures of one moment: everything is read in one snapshot. */
  const reconcile = async (language: Language): Promise<Reconciliation> => {
    const now = nowSeconds();
    const found = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => ({
        position: await positionOf(trx),
        paid: await paidSums(trx),
        credited: await creditSums(trx),
        open: await paidNotCredited(trx, now),
        wrong: await creditedNotPaid(trx),
        again: await paidAgain(trx),
      }));
    const late = found.open.filter(({ paid_time }) => paid_time <= now - graceSeconds);
    const people = [...late, ...found.wrong, ...found.again].map(({ user_id }) => user_id);
    const names = await lookups.usernames(people, language);
    const { count, minor, quota } = found.paid;
    return {
      checked_at: now,
      position: found.position,
      paid: { count, money: minorText(minor), currency: 'CNY', quota, late: found.paid.late },
      credited: found.credited,
      settling: found.open.length - late.length,
      paid_not_credited: late.map((row) => toWire(row, names, now)),
      credited_not_paid: found.wrong.map(({ position: _, ...row }) => ({
        ...row,
        username: names.get(row.user_id) ?? '',
      })),
      paid_again: found.again.map(({ position: _, amount_minor, ...row }) => ({
        ...row,
        username: names.get(row.user_id) ?? '',
        money: minorText(amount_minor),
      })),
    };
  };

  return {
    'GET /api/topup/': (call) => page(call, 0),
    'GET /api/topup/self': (call) => page(call, call.caller.id),
    'GET /api/topup/reconciliation': async ({ language }) => ok(await reconcile(language)),
  };
};
