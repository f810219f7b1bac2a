import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { RefusalRow, RefusalsSchema } from './table.ts';

/** "", 0 and null: all. Times are Unix seconds, inclusive: every quarter that they touch. */
export type RefusalFilter = Readonly<{
  start: number;
  end: number;
  userId: number | null;
  /** Keys of a name may be several, or none. */
  tokenIds: readonly number[] | null;
  modelName: string;
  reason: string;
}>;
type Page = Readonly<{ page: number; pageSize: number }>;
export type ListedRefusal = Omit<RefusalRow, 'kind'>;

const whereOf = (filter: RefusalFilter): RawBuilder<unknown> => {
  const { start, end, userId, tokenIds, modelName, reason } = filter;
  const conditions = [
    sql`quarter BETWEEN ${start} AND ${end}`,
    ...(userId === null ? [] : [sql`user_id = ${userId}`]),
    ...(tokenIds === null ? [] : [sql`token_id = ANY(${tokenIds}::int8[])`]),
    ...(modelName === '' ? [] : [sql`model_name = ${modelName}`]),
    ...(reason === '' ? [] : [sql`reason = ${reason}`]),
  ];
  return sql.join(conditions, sql` AND `);
};

/** Newest first, in a quarter the most frequent first. */
export const listRefusals = async (
  db: Kysely<RefusalsSchema>,
  filter: RefusalFilter,
  { page, pageSize }: Page,
): Promise<Readonly<{ rows: readonly ListedRefusal[]; total: number; calls: number }>> => {
  const where = whereOf(filter);
  const { rows } = await sql<ListedRefusal>`
    SELECT quarter, reason, user_id, token_id, model_name, count, first_request_id, last_request_id
    FROM refusals.kinds WHERE ${where}
    ORDER BY quarter DESC, count DESC, kind
    LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`.execute(db);
  const sums = await sql<Readonly<{ total: number; calls: number }>>`
    SELECT count(*)::int8 AS total, coalesce(sum(count), 0)::int8 AS calls
    FROM refusals.kinds WHERE ${where}`.execute(db);
  return { rows, total: sums.rows[0]?.total ?? 0, calls: sums.rows[0]?.calls ?? 0 };
};
