import { CompiledQuery, type Kysely } from 'kysely';
import type { SumMismatch } from '../../infra/ports/read-models.ts';
import { facetRowsSql } from './facets.ts';

/** Where many sums are wrong, the first thousand of each table suffice. */
const maxMismatches = 1_000;
const sums = ['count', 'quota', 'tokens'] as const;
const labels = ['user_id', 'token_id', 'model_name', 'channel_id', '"group"'];

const added =
  'count(*) AS count, sum(quota)::int8 AS quota, ' +
  'sum(prompt_tokens + completion_tokens)::int8 AS tokens';
const summed = sums.map((name) => `sum(${name})::int8 AS ${name}`).join(', ');

type Level = Readonly<{ source: SumMismatch['source']; keys: readonly string[]; due: string }>;
/** Each level of sums, and the same from the level beneath. Below 0: charges that were pruned. */
const levels: readonly Level[] = [
  {
    source: 'hours',
    keys: ['hour', 'type', ...labels],
    due:
      `SELECT created_at - created_at % 3600 AS hour, type, ${labels.join(', ')}, ${added} ` +
      'FROM usage_log.entries GROUP BY 1, 2, 3, 4, 5, 6, 7',
  },
  {
    source: 'group_minutes',
    keys: ['minute', 'type', '"group"'],
    due:
      `SELECT created_at - created_at % 60 AS minute, type, "group", ${added} ` +
      'FROM usage_log.entries GROUP BY 1, 2, 3',
  },
  {
    source: 'facet_hours',
    keys: ['facet', 'value', 'hour', 'type'],
    due:
      `SELECT facet, value, hour, type, ${summed} FROM usage_log.hours ` +
      `CROSS JOIN LATERAL (${facetRowsSql}) AS f(facet, value) ` +
      'WHERE type > 0 GROUP BY 1, 2, 3, 4',
  },
];

const mismatchesOf = async (
  db: Kysely<unknown>,
  { source, keys, due }: Level,
): Promise<readonly SumMismatch[]> => {
  type Row = Readonly<{ key: string } & Record<`due_${string}` | `found_${string}`, number>>;
  const of = (side: string): string =>
    sums.map((name) => `coalesce(${side}.${name}, 0) AS ${side}_${name}`).join(', ');
  const differ = sums.map((name) => `due.${name} IS DISTINCT FROM found.${name}`).join(' OR ');
  const { rows } = await db.executeQuery<Row>(
    CompiledQuery.raw(
      `SELECT concat_ws('/', ${keys.join(', ')}) AS key, ${of('due')}, ${of('found')} ` +
        `FROM (${due}) AS due FULL JOIN ` +
        `(SELECT * FROM usage_log.${source} WHERE type > 0) AS found USING (${keys.join(', ')}) ` +
        `WHERE ${differ} ORDER BY 1 LIMIT ${maxMismatches}`,
    ),
  );
  return rows.map((row) => ({
    source,
    key: row.key,
    found: {
      count: row.found_count ?? 0,
      quota: row.found_quota ?? 0,
      tokens: row.found_tokens ?? 0,
    },
    due: { count: row.due_count ?? 0, quota: row.due_quota ?? 0, tokens: row.due_tokens ?? 0 },
  }));
};

/** Sums of hours and minutes that are not what the rows beneath them add up to. */
export async function* usageMismatches(db: Kysely<unknown>): AsyncGenerator<SumMismatch> {
  for (const level of levels) yield* await mismatchesOf(db, level);
}
