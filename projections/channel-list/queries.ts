import { type Kysely, type SqlBool, sql } from 'kysely';
import { knownVideoModels, videoTypes } from '../../domain/channel/video-providers.ts';
import { literalPattern } from '../http/like.ts';
import type { ChannelListRow, ChannelListSchema } from './table.ts';

type Db = Kysely<ChannelListSchema>;
export type ChannelSearch = Readonly<{ keyword: string; group: string; model: string }>;
type Order = Readonly<{ idSort: boolean }>;

const matching = (db: Db, { keyword, group, model }: ChannelSearch) => {
  let query = db.selectFrom('channel_list.channels');
  if (keyword !== '') {
    const id = /^\d{1,15}$/.test(keyword) ? Number(keyword) : null;
    query = query.where((either) =>
      either.or([
        either('name', 'like', `%${literalPattern(keyword)}%`),
        ...(id === null ? [] : [either('id', '=', id)]),
      ]),
    );
  }
  if (model !== '') query = query.where('models', 'like', `%${literalPattern(model)}%`);
  if (group !== '') {
    query = query.where(sql<SqlBool>`${group} = ANY(string_to_array("group", ','))`);
  }
  return query;
};
export const everyChannel: ChannelSearch = { keyword: '', group: '', model: '' };

const inOrder = <T extends { orderBy: (column: 'id' | 'priority', direction: 'desc') => T }>(
  query: T,
  { idSort }: Order,
): T => (idSort ? query : query.orderBy('priority', 'desc')).orderBy('id', 'desc');

/** A page of channels; pages count from 0. Without a page: all that match. */
export const listChannels = (
  db: Db,
  search: ChannelSearch,
  { idSort, page }: Order & Readonly<{ page?: Readonly<{ number: number; size: number }> }>,
): Promise<ChannelListRow[]> => {
  const query = inOrder(matching(db, search).selectAll(), { idSort });
  return page === undefined
    ? query.execute()
    : query
        .limit(page.size)
        .offset(page.number * page.size)
        .execute();
};

/** Tags of matching channels in the order of their names, then all channels of those tags. */
export const listTaggedChannels = async (
  db: Db,
  search: ChannelSearch,
  { idSort, page }: Order & Readonly<{ page?: Readonly<{ number: number; size: number }> }>,
): Promise<ChannelListRow[]> => {
  const all = matching(db, search).select('tag').distinct().where('tag', '<>', '').orderBy('tag');
  const tags = await (page === undefined
    ? all.execute()
    : all
        .limit(page.size)
        .offset(page.number * page.size)
        .execute());
  if (tags.length === 0) return [];
  const names = tags.map(({ tag }) => tag);
  const query = db.selectFrom('channel_list.channels').selectAll().where('tag', 'in', names);
  return inOrder(query, { idSort }).execute();
};

export const findChannel = async (db: Db, id: number): Promise<ChannelListRow | null> =>
  (await db
    .selectFrom('channel_list.channels')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()) ?? null;

export const channelNamesOf = async (
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> => {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('channel_list.channels')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
};

/** Which models can be called in which groups: one row for each ability of an enabled channel. */
export const enabledAbilities = async (
  db: Db,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const rows = await db
    .selectFrom('channel_list.channels')
    .select(['models', 'group'])
    .distinct()
    .where('status', '=', 1)
    .execute();
  const abilities = new Map<string, Set<string>>();
  for (const { models, group } of rows) {
    for (const model of models.split(',').filter((name) => name !== '')) {
      const groups = abilities.get(model) ?? new Set();
      abilities.set(model, groups);
      for (const name of group.split(',')) groups.add(name);
    }
  }
  return abilities;
};

/** Models that enabled channels make videos with: their price is for a second. */
export const videoModels = async (db: Db): Promise<ReadonlySet<string>> => {
  const rows = await db
    .selectFrom('channel_list.channels')
    .select('models')
    .distinct()
    .where('status', '=', 1)
    .where('type', 'in', [...videoTypes])
    .execute();
  return new Set([...knownVideoModels, ...rows.flatMap(({ models }) => models.split(','))]);
};
