import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { Language } from '../../domain/access/language.ts';
import { rootRole } from '../../domain/access/roles.ts';
import type { Session } from '../../domain/access/session.ts';
import { deletedUserName, deletedUserNamed } from '../../domain/user/deleted-name.ts';
import { literalPattern } from '../http/like.ts';
import type { KnownUser, SessionUser } from '../http/lookups.ts';
import type { PersonalKeyRow } from '../shared/personal-data.ts';
import type { UserListRow, UserListSchema, UserSessionRow } from './table.ts';

type Db = Kysely<UserListSchema>;
export type Paging = Readonly<{ page: number; pageSize: number }>;
export type UserSearch = Readonly<{ keyword: string; group: string }>;

type Found = ExpressionBuilder<UserListSchema, 'user_list.users'>;

const matching = (either: Found, { keyword, group }: UserSearch): Expression<SqlBool> => {
  const ofGroup = group === '' ? [] : [either('group', '=', group)];
  if (keyword === '') return either.and(ofGroup);
  const pattern = `%${literalPattern(keyword)}%`;
  const id = /^\d{1,15}$/.test(keyword) ? Number(keyword) : null;
  const named = either.or([
    either('username', 'like', pattern),
    either('email', 'like', pattern),
    either('display_name', 'like', pattern),
    ...(id === null ? [] : [either('id', '=', id)]),
  ]);
  return either.and([...ofGroup, named]);
};

/**
 * Newest first, deleted ones included. A keyword may occur anywhere, so every user is read, but
 * once: the ids that are found give both the page and the total.
 */
export const listUsers = async (
  db: Db,
  search: UserSearch,
  { page, pageSize }: Paging,
): Promise<{ rows: readonly UserListRow[]; total: number }> => {
  const found = db.with(
    (cte) => cte('found').materialized(),
    (inner) =>
      inner
        .selectFrom('user_list.users')
        .select('id')
        .where((either) => matching(either, search)),
  );
  const rows = await found
    .with('page', (inner) =>
      inner
        .selectFrom('found')
        .select('id')
        .orderBy('id', 'desc')
        .limit(pageSize)
        .offset((page - 1) * pageSize),
    )
    .selectFrom('page')
    .innerJoin('user_list.users as user', 'user.id', 'page.id')
    .selectAll('user')
    .select((from) => from.selectFrom('found').select(sql<number>`count(*)`.as('n')).as('total'))
    .orderBy('user.id', 'desc')
    .execute();
  const [first] = rows;
  if (first === undefined) {
    if (page === 1) return { rows: [], total: 0 };
    const { total } = await found
      .selectFrom('found')
      .select(sql<number>`count(*)`.as('total'))
      .executeTakeFirstOrThrow();
    return { rows: [], total: Number(total) };
  }
  return { rows: rows.map(({ total: _, ...row }) => row), total: Number(first.total) };
};

export const findUser = async (db: Db, id: number): Promise<UserListRow | null> =>
  (await db.selectFrom('user_list.users').selectAll().where('id', '=', id).executeTakeFirst()) ??
  null;

const guarded = (db: Db) =>
  db
    .selectFrom('user_list.users')
    .select(['id', 'username', 'role', 'group', 'status', 'session_epoch', 'has_second_factor'])
    .select(sql<boolean>`deleted_at IS NOT NULL`.as('deleted'));

export const knownUserById = async (db: Db, id: number): Promise<KnownUser | null> =>
  (await guarded(db).where('id', '=', id).executeTakeFirst()) ?? null;

export const knownUserBySession = async (
  db: Db,
  { userId, id }: Session,
): Promise<SessionUser | null> =>
  (await guarded(db)
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('user_list.sessions')
          .select('session_id')
          .where('session_id', '=', id)
          .where('user_id', '=', userId),
      )
        .$castTo<boolean>()
        .as('session_open'),
    )
    .where('id', '=', userId)
    .executeTakeFirst()) ?? null;

/** Newest first. */
export const sessionsOf = (
  db: Db,
  userId: number,
  openedAfterMs: number,
): Promise<readonly UserSessionRow[]> =>
  db
    .selectFrom('user_list.sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('opened_at', '>', openedAfterMs)
    .orderBy('opened_at', 'desc')
    .execute();

export const wrappedKeyOf = async (db: Db, userId: number): Promise<string | null> =>
  (
    await db
      .selectFrom('user_list.personal_keys')
      .select('wrapped_key')
      .where('user_id', '=', userId)
      .executeTakeFirst()
  )?.wrapped_key ?? null;

export const knownUserByTokenHash = async (db: Db, hash: string): Promise<KnownUser | null> =>
  (await guarded(db).where('access_token_hash', '=', hash).executeTakeFirst()) ?? null;

/** As people are called now; who has left has no name any more. */
export const usernamesOf = async (
  db: Db,
  ids: readonly number[],
  language: Language,
): Promise<ReadonlyMap<number, string>> => {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('user_list.users')
    .select(['id', 'username', 'deleted_at'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(
    rows.map(({ id, username, deleted_at }) => [
      id,
      deleted_at === null ? username : deletedUserName(id, language),
    ]),
  );
};

/** The user of this name now, or shown so after the deletion; null when there is none. */
export const userIdNamed = async (db: Db, name: string): Promise<number | null> => {
  const deleted = deletedUserNamed(name);
  if (deleted !== null || name === '') return deleted;
  const found = await db
    .selectFrom('user_list.users')
    .select('id')
    .where('username', '=', name)
    .executeTakeFirst();
  return found?.id ?? null;
};

/** Keys of those who have not left, wrapped. */
export const wrappedKeysOf = async (
  db: Db,
  ids: readonly number[],
): Promise<readonly PersonalKeyRow[]> =>
  ids.length === 0
    ? []
    : db
        .selectFrom('user_list.personal_keys')
        .selectAll()
        .where('user_id', 'in', [...ids])
        .execute();

export const isRootThere = async (db: Db): Promise<boolean> =>
  (await db
    .selectFrom('user_list.users')
    .select('id')
    .where('role', '=', rootRole)
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
