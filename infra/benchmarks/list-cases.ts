import type { Kysely } from 'kysely';
import {
  enabledAbilities,
  everyChannel,
  listChannels,
  listTaggedChannels,
} from '../../projections/channel-list/queries.ts';
import type { ChannelListSchema } from '../../projections/channel-list/table.ts';
import { listRedemptions } from '../../projections/redemption-list/queries.ts';
import type { RedemptionListSchema } from '../../projections/redemption-list/table.ts';
import { listTokens, tokensNamed } from '../../projections/token-list/queries.ts';
import type { TokenListSchema } from '../../projections/token-list/table.ts';
import { listUsers, usernamesOf } from '../../projections/user-list/queries.ts';
import type { UserListSchema } from '../../projections/user-list/table.ts';
import { collector, counts } from './list-rows.ts';

/** Answers how many rows there were, so that an empty answer is never measured. */
export type ListCall = () => Promise<number>;
export type ListCases = Readonly<Record<string, ListCall>>;

type Counted = Readonly<{ rows: readonly unknown[]; total: number }>;
type AnyDb = Kysely<unknown>;

const pageSize = 20;

/** First, middle and last page of what matches. */
const pagesOf = async (
  name: string,
  read: (page: number, size: number) => Promise<Counted>,
): Promise<ListCases> => {
  const { total } = await read(1, pageSize);
  const last = Math.max(1, Math.ceil(total / pageSize));
  const call = (page: number) => async (): Promise<number> =>
    (await read(page, pageSize)).rows.length;
  return {
    [`${name}, first page of ${last}`]: call(1),
    [`${name}, middle page`]: call(Math.ceil(last / 2)),
    [`${name}, last page`]: call(last),
  };
};

const userCases = async (anyDb: AnyDb): Promise<ListCases> => {
  const db = anyDb.withTables<UserListSchema>();
  const searches = {
    users: { keyword: '', group: '' },
    'users of a group': { keyword: '', group: 'vip' },
    'users, keyword in many names': { keyword: 'user-1', group: '' },
    'users, keyword in one address': { keyword: 'mail77777@', group: '' },
    'users, keyword within words': { keyword: 'erson 4', group: 'svip' },
    'users, keyword of one letter': { keyword: 'e', group: '' },
    'users, keyword is an id': { keyword: '54321', group: '' },
    'users, keyword found nowhere': { keyword: 'no such user', group: '' },
  };
  const cases = await Promise.all(
    Object.entries(searches).map(([name, search]) =>
      pagesOf(name, (page, size) => listUsers(db, search, { page, pageSize: size })),
    ),
  );
  const ids = Array.from({ length: 100 }, (_, nth) => 1 + nth * 997);
  return Object.assign(
    { 'names of 100 users': async () => (await usernamesOf(db, ids, 'en')).size },
    ...cases,
  );
};

const tokenCases = (anyDb: AnyDb): ListCases => {
  const db = anyDb.withTables<TokenListSchema>();
  const { userId } = collector;
  const tokens = collector.share * counts.tokens;
  const page = (number: number) => async () =>
    (await listTokens(db, userId, { page: number, size: pageSize })).length;
  const named = (keyword: string) => async () => (await tokensNamed(db, userId, keyword)).length;
  return {
    [`tokens of one who holds ${tokens}, first page`]: page(0),
    'tokens, middle page': page(Math.floor(tokens / pageSize / 2)),
    'tokens, last page': page(tokens / pageSize - 1),
    'tokens of one who holds one': async () =>
      (await listTokens(db, 50_000, { page: 0, size: pageSize })).length,
    'tokens, keyword of a few': named('token 43'),
    'tokens, keyword of none': named('nothing'),
  };
};

const channelCases = (anyDb: AnyDb): ListCases => {
  const db = anyDb.withTables<ChannelListSchema>();
  const list =
    (number: number, size: number, idSort = false) =>
    async () =>
      (await listChannels(db, everyChannel, { idSort, page: { number, size } })).length;
  const search = (changes: Partial<typeof everyChannel>) => async () =>
    (await listChannels(db, { ...everyChannel, ...changes }, { idSort: false })).length;
  const tagged = (number: number, size: number) => async () =>
    (await listTaggedChannels(db, everyChannel, { idSort: false, page: { number, size } })).length;
  return {
    'channels, first page': list(0, pageSize),
    'channels, last page, by id': list(counts.channels / pageSize - 1, pageSize, true),
    'channels, 1,000 at once': list(0, 1_000),
    'channels, keyword': search({ keyword: 'nnel 7' }),
    'channels, keyword of all': search({ keyword: 'c' }),
    'channels of a group': search({ group: 'vip' }),
    'channels with a model': search({ model: 'model-7-' }),
    'channels by keyword, group and model': search({
      keyword: '1',
      group: 'svip',
      model: 'model-1',
    }),
    'tags, first page': tagged(0, 10),
    'tags, last page': tagged(4, 10),
    'tags, all at once': tagged(0, 1_000),
    'tags with a model': async () =>
      (await listTaggedChannels(db, { ...everyChannel, model: 'model-7-' }, { idSort: true }))
        .length,
    'walk over all pages of tags': async () => {
      let found = 0;
      for (let number = 0; ; number += 1) {
        const rows = await tagged(number, 10)();
        if (rows === 0) return found;
        found += rows;
      }
    },
    'models that can be called': async () => (await enabledAbilities(db)).size,
  };
};

const codeCases = async (anyDb: AnyDb): Promise<ListCases> => {
  const db = anyDb.withTables<RedemptionListSchema>();
  const keywords = {
    codes: '',
    'codes, keyword of all': 'batch',
    'codes, keyword of a tenth': 'batch 9',
    'codes, keyword of one batch': 'batch 7531',
    'codes, keyword is an id': '654321',
    'codes, keyword of none': 'nothing',
  };
  const cases = await Promise.all(
    Object.entries(keywords).map(([name, keyword]) =>
      pagesOf(name, (page, size) => listRedemptions(db, { keyword, page, pageSize: size })),
    ),
  );
  return Object.assign({}, ...cases);
};

/** Every call that lists or searches, on first, middle and last pages. */
export const listCases = async (db: AnyDb): Promise<ListCases> => ({
  ...(await userCases(db)),
  ...tokenCases(db),
  ...channelCases(db),
  ...(await codeCases(db)),
});
