import { CompiledQuery, type Kysely } from 'kysely';
import type {
  ReadModels,
  ReadModelView,
  UsageSource,
  VerifiedChannel,
  VerifiedCode,
  VerifiedMovement,
  VerifiedOption,
  VerifiedSums,
  VerifiedToken,
  VerifiedTopUp,
  VerifiedUser,
} from '../infra/ports/read-models.ts';
import { schemaOf } from './runtime/projector.ts';
import { usageMismatches } from './usage-log/sum-mismatches.ts';
import { rowSource } from './verify-events.ts';
import { verifiedFeeds } from './verify-feeds.ts';
import { eventSources } from './verify-folds.ts';
import { outOfRange } from './verify-range.ts';
import { stateSources } from './verify-states.ts';
import { missingReadModels } from './verify-tables.ts';

type Db = Kysely<unknown>;
/** Rows that are fetched at one time. */
const pageRows = 5_000;

const select = async <R>(db: Db, text: string, parameters: readonly unknown[] = []): Promise<R[]> =>
  (await db.executeQuery<R>(CompiledQuery.raw(text, [...parameters]))).rows;

const hasCheckpoints = async (db: Db): Promise<boolean> => {
  const text = "SELECT to_regclass('projections.checkpoint') IS NOT NULL AS there";
  return (await select<{ there: boolean }>(db, text))[0]?.there === true;
};

type StoredCheckpoint = Readonly<{
  name: string;
  position: string | null;
  event_id: string | null;
}>;

const readStored = async (db: Db): Promise<readonly StoredCheckpoint[]> =>
  (await hasCheckpoints(db))
    ? select<StoredCheckpoint>(
        db,
        'SELECT name, position::text AS position, event_id ' +
          'FROM projections.checkpoint ORDER BY name',
      )
    : [];

const positionsOf = (stored: readonly StoredCheckpoint[]): ReadonlyMap<string, bigint | null> =>
  new Map(stored.map(({ name, position }) => [name, position === null ? null : BigInt(position)]));

const readCheckpoints = async (db: Db): Promise<ReadonlyMap<string, bigint | null>> =>
  positionsOf(await readStored(db));

/**
 * The id of the schema of a projection: a rebuild puts another one in its place. Names are
 * looked up as they are now, whatever snapshot the transaction reads by.
 */
const schemaIdOf = async (db: Db, projection: string): Promise<number | null> => {
  const text = 'SELECT to_regnamespace($1)::oid::int8 AS id';
  const rows = await select<{ id: number | null }>(db, text, [schemaOf(projection)]);
  return rows[0]?.id ?? null;
};

const readSchemaIds = async (db: Db): Promise<ReadonlyMap<string, number | null>> => {
  const schemaIds = new Map<string, number | null>();
  for (const name of (await readCheckpoints(db)).keys())
    schemaIds.set(name, await schemaIdOf(db, name));
  return schemaIds;
};

type List = Readonly<{ table: string; columns: string; key: string }>;

/** All rows of a table in the order of a unique key, page by page. */
async function* listed<R extends { cursor: string | number }>(
  db: Db,
  { table, columns, key }: List,
): AsyncGenerator<Omit<R, 'cursor'>> {
  let after: string | number | null = null;
  for (;;) {
    const rows: R[] = await select<R>(
      db,
      `SELECT ${columns}, ${key} AS cursor FROM ${table} ` +
        `${after === null ? '' : `WHERE ${key} > $1`} ORDER BY ${key} LIMIT ${pageRows}`,
      after === null ? [] : [after],
    );
    for (const { cursor, ...row } of rows) {
      after = cursor;
      yield row;
    }
    if (rows.length < pageRows) return;
  }
}

async function* movements(db: Db): AsyncGenerator<VerifiedMovement> {
  type Row = { user_id: number; position: string; delta: number; balance_after: number };
  let after: Row = { user_id: -1, position: '-1', delta: 0, balance_after: 0 };
  for (;;) {
    const rows: Row[] = await select<Row>(
      db,
      'SELECT user_id, position::text AS position, delta, balance_after FROM ledger.entries ' +
        `WHERE (user_id, position) > ($1, $2::int8) ORDER BY user_id, entries.position LIMIT ${pageRows}`,
      [after.user_id, after.position],
    );
    for (const row of rows) {
      after = row;
      const { user_id: userId, position, delta, balance_after: balanceAfter } = row;
      yield { userId, position: BigInt(position), delta, balanceAfter };
    }
    if (rows.length < pageRows) return;
  }
}

async function* all<R>(rows: Promise<readonly R[]>): AsyncGenerator<R> {
  yield* await rows;
}

const hourOfEntry = 'created_at - created_at % 3600';

const usage = (db: Db, source: UsageSource, key: string): AsyncIterable<VerifiedSums> => {
  const isEntries = source === 'entries';
  const count = isEntries ? 'count(*)' : 'sum(count)::int8';
  const tokens = isEntries ? 'prompt_tokens + completion_tokens' : 'tokens';
  return all(
    select<VerifiedSums>(
      db,
      `SELECT ${key} AS key, type, ${count} AS count, sum(quota)::int8 AS quota, ` +
        `sum(${tokens})::int8 AS tokens FROM usage_log.${source} GROUP BY 1, 2 ORDER BY 1, 2`,
    ),
  );
};

const viewOf = async (
  db: Db,
  schemaIds: ReadonlyMap<string, number | null>,
): Promise<ReadModelView> => {
  const stored = await readStored(db);
  const checkpoints = positionsOf(stored);
  const missing = await missingReadModels(db, checkpoints);
  return {
    checkpoints,
    checkpointEvents: new Map(stored.map(({ name, event_id }) => [name, event_id])),
    missing,
    outOfRange: () => outOfRange(db, missing),
    feeds: verifiedFeeds(db),
    rowSources: [...eventSources, ...stateSources].map((source) => rowSource(db, source)),
    isUnchanged: async (name) => (await schemaIdOf(db, name)) === schemaIds.get(name),
    users: () =>
      listed<VerifiedUser & { cursor: number }>(db, {
        table: 'user_list.users',
        key: 'id',
        columns:
          'id, quota, used_quota AS "usedQuota", request_count AS "requestCount", role, status, ' +
          '"group", deleted_at IS NOT NULL AS deleted',
      }),
    tokens: () =>
      listed<VerifiedToken & { cursor: number }>(db, {
        table: 'token_list.tokens',
        key: 'id',
        columns:
          'id, user_id AS "userId", status, remain_quota AS remain, used_quota AS used, ' +
          'unlimited_quota AS unlimited',
      }),
    channels: () =>
      listed<VerifiedChannel & { cursor: number }>(db, {
        table: 'channel_list.channels',
        key: 'id',
        columns: 'id, status, used_quota AS "usedQuota"',
      }),
    options: () =>
      listed<VerifiedOption & { cursor: string }>(db, {
        table: 'option_list.options',
        key: 'key',
        columns: 'key, value, is_secret_set AS "isSecretSet"',
      }),
    codes: () =>
      listed<VerifiedCode & { cursor: number }>(db, {
        table: 'redemption_list.codes',
        key: 'id',
        columns: 'id, status, quota, used_user_id AS "usedBy"',
      }),
    topUps: () =>
      listed<VerifiedTopUp & { cursor: string }>(db, {
        table: 'topup_list.orders',
        key: 'trade_no',
        columns:
          'trade_no AS "tradeNo", user_id AS "userId", amount_minor AS "amountMinor", ' +
          'quota + bonus_quota AS quota, status, (SELECT coalesce(sum(quota), 0)::int8 ' +
          'FROM topup_list.credits WHERE credits.trade_no = orders.trade_no) AS credited',
      }),
    accounts: () =>
      listed<{ userId: number; balance: number; used: number; cursor: number }>(db, {
        table: 'ledger.accounts',
        key: 'user_id',
        columns: 'user_id AS "userId", balance, used',
      }),
    movements: () => movements(db),
    movementCounts: () =>
      all(
        select(
          db,
          'SELECT user_id AS "userId", sum(count)::int8 AS count FROM ledger.days GROUP BY 1 ORDER BY 1',
        ),
      ),
    usageByUser: (source) => (source === 'site_hours' ? null : usage(db, source, 'user_id')),
    usageByHour: (source) => usage(db, source, source === 'entries' ? hourOfEntry : 'hour'),
    usageMismatches: () => usageMismatches(db),
  };
};

/** The read models as `verify` sees them: everything of one moment, by one snapshot. */
export const createReadModels = (db: Db): ReadModels => ({
  checkpoints: () => readCheckpoints(db),
  view: async (task) => {
    // Before the snapshot, so that no rebuild goes unnoticed between the two.
    const schemaIds = await readSchemaIds(db);
    return db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => task(await viewOf(trx, schemaIds)));
  },
});
