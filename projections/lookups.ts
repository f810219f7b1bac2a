import type { Kysely } from 'kysely';
import type { ReadVault } from '../infra/ports/vault.ts';
import { channelNamesOf } from './channel-list/queries.ts';
import type { ChannelListSchema } from './channel-list/table.ts';
import { tokenIdWithHash } from './feeds/queries.ts';
import type { FeedSchema } from './feeds/table.ts';
import type { Lookups } from './http/lookups.ts';
import { createOptionState } from './option-list/queries.ts';
import type { OptionListSchema } from './option-list/table.ts';
import { keyTokenOf, tokenIdsNamed, tokenNamesOf } from './token-list/queries.ts';
import type { TokenListSchema } from './token-list/table.ts';
import {
  balanceOfUser,
  isRootThere as isRootInList,
  knownUserById,
  knownUserBySession,
  knownUserByTokenHash,
  userIdNamed,
  usernamesOf,
  wrappedKeysOf,
} from './user-list/queries.ts';
import type { UserListSchema } from './user-list/table.ts';

/** What read models may read of each other, without importing each other. */
export const createLookups = (
  db: Kysely<unknown>,
  { personalSeal }: Pick<ReadVault, 'personalSeal'>,
): Lookups => {
  const users = db.withTables<UserListSchema>();
  const channels = db.withTables<ChannelListSchema>();
  const tokens = db.withTables<TokenListSchema>();
  const feeds = db.withTables<FeedSchema>();
  const optionState = createOptionState(db.withTables<OptionListSchema>());
  return {
    userById: (id) => knownUserById(users, id),
    userBySession: (session) => knownUserBySession(users, session),
    userByAccessTokenHash: (hash) => knownUserByTokenHash(users, hash),
    tokenByKeyHash: async (hash) => {
      const id = await tokenIdWithHash(feeds, hash);
      return id === null ? null : keyTokenOf(tokens, id);
    },
    balanceOf: (userId) => balanceOfUser(users, userId),
    usernames: (ids, language) => usernamesOf(users, ids, language),
    userIdNamed: (name) => userIdNamed(users, name),
    tokenNames: (ids) => tokenNamesOf(tokens, ids),
    tokenIdsNamed: (name, ownerId) => tokenIdsNamed(tokens, name, ownerId),
    // Read each time and kept nowhere: a key that was destroyed opens nothing from then on.
    personalSeals: async (ids) =>
      new Map(
        (await wrappedKeysOf(users, ids)).map((row) => [
          row.user_id,
          personalSeal(row.user_id, row.wrapped_key),
        ]),
      ),
    channelNames: (ids) => channelNamesOf(channels, ids),
    options: async () => (await optionState()).values,
  };
};

export const isRootThere = (db: Kysely<unknown>): Promise<boolean> =>
  isRootInList(db.withTables<UserListSchema>());
