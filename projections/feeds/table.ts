import { tableOf } from '../runtime/table.ts';
import { personalKeyTable } from '../shared/personal-data.ts';

/** What relays receive, with the position of the newest event behind each row. */
type Fed = Readonly<{ position: number; deleted: boolean }>;

export type ChannelFeedRow = Readonly<{
  channel_id: number;
  status: number;
  sealed_key: string;
  /** JSON text of `ChannelSettings`; `tag` next to it is the newer one. */
  settings: string;
  tag: string;
}> &
  Fed;
export type TokenFeedRow = Readonly<{
  key_hash: string;
  token_id: number;
  user_id: number;
  status: number;
  /** JSON text of `FedTerms`. */
  terms: string;
}> &
  Fed;
export type AccountFeedRow = Readonly<{
  user_id: number;
  role: number;
  status: number;
  group: string;
  session_epoch: number;
  /** JSON text of `LiveSession[]`. */
  sessions: string;
  accepts_unpriced: boolean;
}> &
  Fed;
export type OptionFeedRow = Readonly<{
  key: string;
  /** null: the default holds. */
  value: string | null;
  position: number;
}>;

export type KeysFeedRow = Readonly<{
  key: string;
  /** JSON text of `RelayKeysFeedEntry`. */
  keyring: string;
  position: number;
}>;

const fed = { position: 'int8', deleted: 'bool' } as const;

export const feedTables = {
  keys: tableOf<KeysFeedRow>()({
    name: 'keys',
    columns: { key: 'text', keyring: 'text', position: 'int8' },
    key: ['key'],
  }),
  channels: tableOf<ChannelFeedRow>()({
    name: 'channels',
    columns: {
      channel_id: 'int8',
      status: 'int8',
      sealed_key: 'text',
      settings: 'text',
      tag: 'text',
      ...fed,
    },
    key: ['channel_id'],
  }),
  tokens: tableOf<TokenFeedRow>()({
    name: 'tokens',
    columns: {
      key_hash: 'text',
      token_id: 'int8',
      user_id: 'int8',
      status: 'int8',
      terms: 'text',
      ...fed,
    },
    key: ['key_hash'],
    writeIndexes: ['(user_id)'],
  }),
  accounts: tableOf<AccountFeedRow>()({
    name: 'accounts',
    columns: {
      user_id: 'int8',
      role: 'int8',
      status: 'int8',
      group: 'text',
      session_epoch: 'int8',
      sessions: 'text',
      accepts_unpriced: 'bool',
      ...fed,
    },
    key: ['user_id'],
  }),
  options: tableOf<OptionFeedRow>()({
    name: 'options',
    columns: { key: 'text', value: 'text?', position: 'int8' },
    key: ['key'],
  }),
  personalKeys: personalKeyTable,
};
export type FeedSchema = { 'relay_feeds.tokens': TokenFeedRow };
