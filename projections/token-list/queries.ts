import type { Kysely } from 'kysely';
import { literalPattern } from '../http/like.ts';
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
