import type { Kysely } from 'kysely';
import { literalPattern } from '../http/like.ts';
import type { KeyToken } from '../http/lookups.ts';
import type { TokenListRow, TokenListSchema } from './table.ts';

type Db = Kysely<TokenListSchema>;

const ofOwner = (db: Db, userId: number) =>
  db.selectFrom('token_list.tokens').selectAll().where('user_id', '=', userId);

/** Newest first; pages count from 0. */
export const listTokens = (
  db: Db,
  userId: number,
  { page, size }: Readonly<{ page: number; size: number }>,
): Promise<TokenListRow[]> =>
  ofOwner(db, userId)
    .orderBy('id', 'desc')
    .limit(size)
    .offset(page * size)
    .execute();

export const tokensNamed = (db: Db, userId: number, keyword: string): Promise<TokenListRow[]> =>
  ofOwner(db, userId)
    .where('name', 'like', `%${literalPattern(keyword)}%`)
    .orderBy('id', 'desc')
    .execute();

export const findToken = async (db: Db, userId: number, id: number): Promise<TokenListRow | null> =>
  (await ofOwner(db, userId).where('id', '=', id).executeTakeFirst()) ?? null;

export const tokenNamesOf = async (
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> => {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('token_list.names')
    .select(['token_id', 'name'])
    .where('token_id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ token_id, name }) => [token_id, name]));
};

export const tokenIdsNamed = async (
  db: Db,
  name: string,
  ownerId: number,
): Promise<readonly number[]> => {
  let query = db.selectFrom('token_list.names').select('token_id').where('name', '=', name);
  if (ownerId !== 0) query = query.where('user_id', '=', ownerId);
  return (await query.execute()).map(({ token_id }) => token_id);
};

/** A token as the calls that its key opens need it. */
export const keyTokenOf = async (db: Db, id: number): Promise<KeyToken | null> =>
  (await db
    .selectFrom('token_list.tokens')
    .select(['id', 'user_id', 'status', 'expired_time'])
    .select(['remain_quota', 'used_quota', 'unlimited_quota', 'allow_ips'])
    .where('id', '=', id)
    .executeTakeFirst()) ?? null;
