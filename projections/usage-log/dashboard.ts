import { type Kysely, sql } from 'kysely';
import type { Sums } from './queries.ts';
import type { Stretch } from './split-range.ts';
import { prunedCharge, type UsageLogSchema } from './table.ts';

export type ModelHour = Sums & Readonly<{ hour: number; model_name: string }>;

/** Charges by hour and model as the dashboard has them, of one user or of all (0). */
export const modelHours = async (
  db: Kysely<UsageLogSchema>,
  { from, to }: Stretch,
  userId: number,
): Promise<ModelHour[]> => {
  const ofUser = userId === 0 ? sql`TRUE` : sql`user_id = ${userId}`;
  const chosen = sql`hour BETWEEN ${from} AND ${to} AND ${ofUser}`;
  const { rows } = await sql<ModelHour>`
    SELECT hour, model_name, sum(count)::int8 AS count, sum(quota)::int8 AS quota,
      sum(tokens)::int8 AS tokens
    FROM (
      SELECT hour, model_name, count, quota, tokens FROM usage_log.hours
      WHERE type IN (2, ${prunedCharge}) AND ${chosen}
      UNION ALL
      SELECT hour, model_name, -count, -quota, -tokens FROM usage_log.hidden_hours
      WHERE ${chosen}
    ) AS recorded
    GROUP BY hour, model_name HAVING sum(count) > 0
    ORDER BY hour, model_name`.execute(db);
  return rows;
};
