import { type Kysely, sql } from 'kysely';
import { literalPattern } from '../http/like.ts';
import type { KnownUser } from '../http/lookups.ts';
import type { UserListRow, UserListSchema } from './table.ts';

type Db = Kysely<UserListSchema>;
export type Paging = Readonly<{ page: number; pageSize: number }>;
export type UserSearch = Readonly<{ keyword: string; group: string }>;

const matching = (db: Db, { keyword, group }: UserSearch) => {
  let query = db.selectFrom('user_list.users');
  if (keyword !== '') {
    const pattern = `%${literalPattern(keyword)}%`;
    const id = /^\d{1,15}$/.test(keyword) ? Number(keyword) : null;
    query = query.where((either) =>
      either.or([
        either('username', 'like', pattern),
        either('email', 'like', pattern),
        either('display_name', 'like', pattern),
        ...(id === null ? [] : [either('id', '=', id)]),
      ]),
    );
  }
  return group === '' ? query : query.where('group', '=', group);
};

/** Newest first, deleted ones included. */
export const listUsers = async (
  db: Db,
  search: UserSearch,
  { page, pageSize }: Paging,
): Promise<{ rows: UserListRow[]; total: number }> => {
  const query = matching(db, search);
  const rows = await query
    .selectAll()
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const { total } = await query.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
};

export const findUser = async (db: Db, id: number): Promise<UserListRow | null> =>
  (await db.selectFrom('user_list.users').selectAll().where('id', '=', id).executeTakeFirst()) ??
  null;

const guarded = (db: Db) =>
  db
    .selectFrom('user_list.users')
    .select(['id', 'username', 'role', 'group', 'status', 'session_epoch'])
    .select(sql<boolean>`deleted_at IS NOT NULL`.as('deleted'));

export const knownUserById = async (db: Db, id: number): Promise<KnownUser | null> =>
  (await guarded(db).where('id', '=', id).executeTakeFirst()) ?? null;

export const knownUserByTokenHash = async (db: Db, hash: string): Promise<KnownUser | null> =>
  (await guarded(db).where('access_token_hash', '=', hash).executeTakeFirst()) ?? null;

export const usernamesOf = async (
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> => {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('user_list.users')
    .select(['id', 'username'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, username }) => [id, username]));
};

export const isRootThere = async (db: Db): Promise<boolean> =>
  (await db
    .selectFrom('user_list.users')
    .select('id')
    .where('role', '=', 100)
    .executeTakeFirst()) !== undefined;

/** Quota units. */
export const balanceOfUser = async (
  db: Db,
  id: number,
): Promise<Readonly<{ balance: number; used: number }>> =>
  (await db
    .selectFrom('user_list.users')
    .select(['quota as balance', 'used_quota as used'])
    .where('id', '=', id)
    .executeTakeFirst()) ?? { balance: 0, used: 0 };
