import { CompiledQuery, type Kysely } from 'kysely';
import type {
  MoneyRows,
  VerifiedAccount,
  VerifiedCount,
  VerifiedToken,
  VerifiedTopUp,
  VerifiedUser,
} from '../../infra/ports/read-models.ts';

type Db = Kysely<unknown>;
type List = Readonly<{ from: string; columns: string; key: string }>;

/** Rows that are fetched at one time. */
const pageRows = 5_000;

/** All rows of a table in the order of a unique key, page by page. */
async function* listed<R>(db: Db, { from, columns, key }: List): AsyncGenerator<R> {
  for (let after: unknown = null; ; ) {
    const { rows } = await db.executeQuery<R & { cursor: unknown }>(
      CompiledQuery.raw(
        `SELECT ${columns}, ${key} AS cursor FROM ${from} ` +
          `${after === null ? '' : `WHERE ${key} > $1`} ORDER BY ${key} LIMIT ${pageRows}`,
        after === null ? [] : [after],
      ),
    );
    for (const { cursor, ...row } of rows) {
      after = cursor;
      yield row as R;
    }
    if (rows.length < pageRows) return;
  }
}

/** As it is where it is a safe integer; else another number than any that is expected. */
const number = (cell: string, name: string): string => `(${cell})::float8 AS "${name}"`;

/** What the read models show of money. Movements are compared with the shadow only. */
export const moneyRows = (db: Db): MoneyRows => ({
  users: () =>
    listed<VerifiedUser>(db, {
      from: 'user_list.users',
      key: 'id',
      columns:
        `id, role, status, "group", deleted_at IS NOT NULL AS deleted, ${number('quota', 'quota')}, ` +
        `${number('used_quota', 'usedQuota')}, ${number('request_count', 'requestCount')}`,
    }),
  tokens: () =>
    listed<VerifiedToken>(db, {
      from: 'token_list.tokens',
      key: 'id',
      columns:
        'id, user_id AS "userId", status, unlimited_quota AS unlimited, ' +
        `${number('remain_quota', 'remain')}, ${number('used_quota', 'used')}`,
    }),
  topUps: () =>
    listed<VerifiedTopUp>(db, {
      from: 'topup_list.orders',
      key: 'trade_no',
      columns:
        'trade_no AS "tradeNo", user_id AS "userId", status, ' +
        `${number('amount_minor', 'amountMinor')}, ${number('quota + bonus_quota', 'quota')}, ` +
        `${number('SELECT coalesce(sum(quota), 0) FROM topup_list.credits WHERE credits.trade_no = orders.trade_no', 'credited')}`,
    }),
  accounts: () =>
    listed<VerifiedAccount>(db, {
      from: 'ledger.accounts',
      key: 'user_id',
      columns: `user_id AS "userId", ${number('balance', 'balance')}, ${number('used', 'used')}`,
    }),
  movementCounts: () =>
    listed<VerifiedCount>(db, {
      from: '(SELECT user_id, sum(count) AS count FROM ledger.days GROUP BY 1) AS days',
      key: 'user_id',
      columns: `user_id AS "userId", ${number('count', 'count')}`,
    }),
});
