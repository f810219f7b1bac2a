import { type Kysely, type SqlBool, sql } from 'kysely';
import { literalPattern } from '../http/like.ts';
import { type Block, blockOf, locatePage, rangesOf } from '../shared/blocks.ts';
import type { RedemptionListRow, RedemptionListSchema } from './table.ts';

type Db = Kysely<RedemptionListSchema>;
type Search = Readonly<{ keyword: string; page: number; pageSize: number }>;

const idIn = (keyword: string): number | null =>
  /^\d{1,15}$/.test(keyword) ? Number(keyword) : null;
const beginsWith = (keyword: string): string => `${literalPattern(keyword)}%`;

const matching = (db: Db, keyword: string) => {
  const query = db.selectFrom('redemption_list.codes').selectAll();
  if (keyword === '') return query;
  const id = idIn(keyword);
  return query.where((either) =>
    either.or([
      either('name', 'like', beginsWith(keyword)),
      ...(id === null ? [] : [either('id', '=', id)]),
    ]),
  );
};

/** How many codes match in each block that has any, newest first. */
const blocksOf = async (db: Db, keyword: string): Promise<readonly Block[]> => {
  if (keyword === '') {
    return db
      .selectFrom('redemption_list.blocks')
      .select(['block', 'count'])
      .where('count', '>', 0)
      .orderBy('block', 'desc')
      .execute();
  }
  const pattern = beginsWith(keyword);
  const named = await db
    .selectFrom('redemption_list.names')
    .select(['block', sql<number>`sum(count)::int8`.as('count')])
    .where('name', 'like', pattern)
    .groupBy('block')
    .having(sql<SqlBool>`sum(count) > 0`)
    .orderBy('block', 'desc')
    .execute();
  const id = idIn(keyword);
  const byId = id === null ? null : await findRedemption(db, id);
  if (byId === null || byId.name.startsWith(keyword)) return named;
  const block = blockOf(byId.id);
  const others = named.filter((found) => found.block !== block);
  const here = named.find((found) => found.block === block)?.count ?? 0;
  return [...others, { block, count: here + 1 }].sort((a, b) => b.block - a.block);
};

/** Newest first. The keyword is the beginning of a name, or an id. */
export const listRedemptions = async (
  db: Db,
  { keyword, page, pageSize }: Search,
): Promise<{ rows: readonly RedemptionListRow[]; total: number }> => {
  const blocks = await blocksOf(db, keyword);
  const place = { offset: (page - 1) * pageSize, size: pageSize };
  const { total, blocks: wanted, skip } = locatePage(blocks, place);
  const rows: RedemptionListRow[] = [];
  for (const { from, to } of rangesOf(wanted)) {
    const found = await matching(db, keyword)
      .where('id', '>=', from)
      .where('id', '<', to)
      .orderBy('id', 'desc')
      .limit(pageSize - rows.length)
      .offset(rows.length === 0 ? skip : 0)
      .execute();
    rows.push(...found);
  }
  return { rows, total };
};

export const findRedemption = async (db: Db, id: number): Promise<RedemptionListRow | null> =>
  (await db
    .selectFrom('redemption_list.codes')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()) ?? null;
