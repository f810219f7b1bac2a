import type { Kysely } from 'kysely';
import { channelNamesOf } from './channel-list/queries.ts';
import type { ChannelListSchema } from './channel-list/table.ts';
import type { FeedSchema } from './feeds/table.ts';
import type { Lookups } from './http/lookups.ts';
import { createOptionState } from './option-list/queries.ts';
import type { OptionListSchema } from './option-list/table.ts';
import { tokenWithHash } from './token-list/queries.ts';
import type { TokenListSchema } from './token-list/table.ts';
import {
  balanceOfUser,
  isRootThere as isRootInList,
  knownUserById,
  knownUserBySession,
  knownUserByTokenHash,
  usernamesOf,
} from './user-list/queries.ts';
import type { UserListSchema } from './user-list/table.ts';

/** What read models may ask of each other, without knowing each other. */
export const createLookups = (db: Kysely<unknown>): Lookups => {
  const users = db.withTables<UserListSchema>();
  const channels = db.withTables<ChannelListSchema>();
  const tokens = db.withTables<TokenListSchema & FeedSchema>();
  const optionState = createOptionState(db.withTables<OptionListSchema>());
  return {
    userById: (id) => knownUserById(users, id),
    userBySession: (session) => knownUserBySession(users, session),
    userByAccessTokenHash: (hash) => knownUserByTokenHash(users, hash),
    tokenByKeyHash: (hash) => tokenWithHash(tokens, hash),
    balanceOf: (userId) => balanceOfUser(users, userId),
    usernames: (ids) => usernamesOf(users, ids),
    channelNames: (ids) => channelNamesOf(channels, ids),
    options: async () => (await optionState()).values,
  };
};

export const isRootThere = (db: Kysely<unknown>): Promise<boolean> =>
  isRootInList(db.withTables<UserListSchema>());
