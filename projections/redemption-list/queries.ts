import { type Kysely, sql } from 'kysely';
import { literalPattern } from '../http/like.ts';
import type { RedemptionListRow, RedemptionListSchema } from './table.ts';

type Db = Kysely<RedemptionListSchema>;

/** Newest first. The keyword is the beginning of a name, or an id. */
export const listRedemptions = async (
  db: Db,
  { keyword, page, pageSize }: Readonly<{ keyword: string; page: number; pageSize: number }>,
): Promise<{ rows: RedemptionListRow[]; total: number }> => {
  let query = db.selectFrom('redemption_list.codes');
  if (keyword !== '') {
    const id = /^\d{1,15}$/.test(keyword) ? Number(keyword) : null;
    query = query.where((either) =>
      either.or([
        either('name', 'like', `${literalPattern(keyword)}%`),
        ...(id === null ? [] : [either('id', '=', id)]),
      ]),
    );
  }
  const rows = await query
    .selectAll()
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const { total } = await query.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
};

export const findRedemption = async (db: Db, id: number): Promise<RedemptionListRow | null> =>
  (await db
    .selectFrom('redemption_list.codes')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()) ?? null;
