import { defineTable, type RowOf, type SchemaOf } from '../runtime/table.ts';
import { personalKeyTable } from '../shared/personal-data.ts';

/** What relays receive, with the position of the newest event behind each row. */
const fed = { position: 'int8', deleted: 'bool' } as const;

export const feedTables = {
  keys: defineTable({
    name: 'keys',
    columns: {
      key: 'text',
      /** JSON text of `RelayKeysFeedEntry`. */
      keyring: 'text',
      position: 'int8',
    },
    key: ['key'],
  }),
  channels: defineTable({
    name: 'channels',
    columns: {
      channel_id: 'int8',
      status: 'int8',
      sealed_key: 'text',
      /** JSON text of `ChannelSettings`; `tag` next to it is the newer one. */
      settings: 'text',
      tag: 'text',
      ...fed,
    },
    key: ['channel_id'],
  }),
  tokens: defineTable({
    name: 'tokens',
    columns: {
      key_hash: 'text',
      token_id: 'int8',
      user_id: 'int8',
      status: 'int8',
      /** JSON text of `FedTerms`. */
      terms: 'text',
      ...fed,
    },
    key: ['key_hash'],
    writeIndexes: ['(user_id)'],
  }),
  accounts: defineTable({
    name: 'accounts',
    columns: {
      user_id: 'int8',
      role: 'int8',
      status: 'int8',
      group: 'text',
      session_epoch: 'int8',
      /** JSON text of `LiveSession[]`. */
      sessions: 'text',
      accepts_unpriced: 'bool',
      ...fed,
    },
    key: ['user_id'],
  }),
  options: defineTable({
    name: 'options',
    columns: {
      key: 'text',
      /** null: the default holds. */
      value: 'text?',
      position: 'int8',
    },
    key: ['key'],
  }),
  personalKeys: personalKeyTable,
};

export type KeysFeedRow = RowOf<typeof feedTables.keys>;
export type ChannelFeedRow = RowOf<typeof feedTables.channels>;
export type TokenFeedRow = RowOf<typeof feedTables.tokens>;
export type AccountFeedRow = RowOf<typeof feedTables.accounts>;
export type OptionFeedRow = RowOf<typeof feedTables.options>;
export type FeedSchema = SchemaOf<'relay_feeds', typeof feedTables>;
