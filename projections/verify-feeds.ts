import { CompiledQuery, type Kysely } from 'kysely';
import type {
  VerifiedFedAccount,
  VerifiedFedChannel,
  VerifiedFedKeys,
  VerifiedFedOption,
  VerifiedFedToken,
  VerifiedFeeds,
} from '../infra/ports/read-models.ts';

type Db = Kysely<unknown>;
const pageRows = 5_000;

type List = Readonly<{ table: string; key: string; columns: string }>;

/** All rows of a table in the order of its key, page by page. */
async function* listed<R>(db: Db, { table, key, columns }: List): AsyncGenerator<R> {
  for (let after: unknown = null; ; ) {
    const { rows } = await db.executeQuery<R & { cursor: unknown }>(
      CompiledQuery.raw(
        `SELECT ${columns}, ${key} AS cursor FROM relay_feeds.${table} ` +
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

/** What the feeds publish, as the tables behind them have it. */
export const verifiedFeeds = (db: Db): VerifiedFeeds => ({
  accounts: () =>
    listed<VerifiedFedAccount>(db, {
      table: 'accounts',
      key: 'user_id',
      columns:
        'user_id AS "userId", role, status, "group", session_epoch AS "sessionEpoch", sessions, ' +
        'accepts_unpriced AS "acceptsUnpriced", deleted, position',
    }),
  tokens: () =>
    listed<VerifiedFedToken>(db, {
      table: 'tokens',
      key: 'key_hash',
      columns:
        'key_hash AS "keyHash", token_id AS "tokenId", user_id AS "userId", status, terms, ' +
        'deleted, position',
    }),
  channels: () =>
    listed<VerifiedFedChannel>(db, {
      table: 'channels',
      key: 'channel_id',
      columns:
        'channel_id AS "channelId", status, sealed_key AS "sealedKey", settings, tag, deleted, ' +
        'position',
    }),
  options: () =>
    listed<VerifiedFedOption>(db, {
      table: 'options',
      key: 'key',
      columns: 'key, value, position',
    }),
  keys: () =>
    listed<VerifiedFedKeys>(db, { table: 'keys', key: 'key', columns: 'key, keyring, position' }),
});
