import { CompiledQuery, type Kysely } from 'kysely';
import {
  createStatements,
  indexStatements,
  monthOf,
  partitionStatement,
  qualified,
} from '../../projections/runtime/table.ts';
import { facetRowsSql, facets } from '../../projections/usage-log/facets.ts';
import { usageLogTables } from '../../projections/usage-log/table.ts';

const schema = 'usage_log';
/** Unix seconds; the log of a site of 20 days, whatever its size. */
export const logStart = Date.UTC(2026, 0, 1) / 1_000;
export const logSeconds = 20 * 86_400;
const people = 300;
/** Connections that fill at once. */
const writers = 4;

const run = async (db: Kysely<unknown>, text: string): Promise<void> => {
  await db.executeQuery(CompiledQuery.raw(text));
};

const details = JSON.stringify({
  kind: 'consume',
  usage: { promptTokens: 200, completionTokens: 150, cachedTokens: 0, cacheCreationTokens: 0 },
  quote: {
    kind: 'ratio',
    model: 'gpt-4o-mini',
    modelRatio: '0.075',
    completionRatio: '4',
    cacheRatio: '0.5',
    cacheCreationRatio: '1.25',
    groupRatio: '1',
  },
  end: 'complete',
  usageSource: 'upstream',
  usageNote: null,
  upstreamModel: null,
  firstByteMs: 150,
  channelsTried: [1],
});

/**
 * Few people make most calls; each has two tokens and three of 24 models, a model runs on two of
 * twelve channels, one call of fifty fails.
 */
const entriesSql = (count: number, { from, to }: Readonly<{ from: number; to: number }>) => `
  INSERT INTO ${qualified(schema, 'entries')}
  SELECT i * 64, ${logStart} + (i * ${logSeconds}::int8) / ${count}, type, u,
    u * 2 + t, model, ((m + c) % 12) + 1,
    CASE WHEN u % 5 = 0 THEN 'vip' ELSE 'default' END,
    CASE WHEN type = 2 THEN 100 + i % 900 ELSE 0 END, CASE WHEN type = 2 THEN 200 ELSE 0 END,
    CASE WHEN type = 2 THEN i % 300 ELSE 0 END, 1200, i % 2 = 0, 'req-' || i, '${details}'
  FROM (
    SELECT i, u, t, c, m, (ARRAY['gpt-', 'claude-', 'gemini-', 'deepseek-'])[m % 4 + 1] || m AS model,
      CASE WHEN i % 50 = 7 THEN 5 ELSE 2 END AS type
    FROM (
      SELECT i, u, (h >> 4) & 1 AS t, (h >> 6) & 1 AS c, (u * 7 + ((h >> 8) & 65535) % 3) % 24 AS m
      FROM (
        SELECT i, h, 1 + floor(${people} * power(((h >> 24) & 1048575) / 1048576.0, 2))::int8 AS u
        FROM (SELECT i, hashint8extended(i, 7) & 4611686018427387903 AS h
          FROM generate_series(${from}::int8, ${to}) AS i) AS numbered
      ) AS called
    ) AS chosen
  ) AS named`;

const counted = 'sum(count)::int8, sum(quota)::int8, sum(tokens)::int8';
const labels = 'user_id, token_id, model_name, channel_id, "group"';
const sumsSql: readonly string[] = [
  `INSERT INTO ${schema}.hours SELECT created_at / 3600 * 3600, type, ${labels}, count(*),
    sum(quota)::int8, sum(prompt_tokens + completion_tokens)::int8
    FROM ${schema}.entries GROUP BY 1, 2, ${labels} ORDER BY 1, 2, ${labels}`,
  `INSERT INTO ${schema}.group_minutes SELECT created_at / 60 * 60, type, "group", count(*),
    sum(quota)::int8, sum(prompt_tokens + completion_tokens)::int8
    FROM ${schema}.entries GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  `INSERT INTO ${schema}.site_hours SELECT hour, type, ${counted} FROM ${schema}.hours GROUP BY 1, 2`,
  `INSERT INTO ${schema}.user_hours SELECT user_id, hour, type, ${counted} FROM ${schema}.hours
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  ...Object.keys(facets).map(
    (facet) => `INSERT INTO ${schema}.facet_hours SELECT facet, value, hour, type, ${counted}
      FROM ${schema}.hours CROSS JOIN LATERAL (SELECT * FROM (${facetRowsSql}) AS all_facets(facet, value)
        WHERE facet = '${facet}') AS f GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
  ),
];

/** Tables as the projection makes them, with rows and sums that agree; indexes are made last. */
export const fillLog = async (db: Kysely<unknown>, count: number): Promise<void> => {
  await run(db, `CREATE SCHEMA ${schema}`);
  const tables = Object.values(usageLogTables);
  // Outside the write-ahead log, which filling would only wait for; reading is the same.
  const unlogged = (statement: string): string =>
    statement.includes(' PARTITION BY ')
      ? statement
      : statement.replace(/^CREATE TABLE/, 'CREATE UNLOGGED TABLE');
  for (const table of tables) {
    for (const statement of createStatements(schema, table)) await run(db, unlogged(statement));
  }
  for (let at = logStart; at <= logStart + logSeconds; at = monthOf(at).to) {
    const statement = partitionStatement(schema, usageLogTables.entries, monthOf(at));
    await run(db, statement.replace(/^CREATE TABLE/, 'CREATE UNLOGGED TABLE'));
  }
  const share = Math.ceil(count / writers);
  await Promise.all(
    Array.from({ length: writers }, (_, writer) =>
      run(
        db,
        entriesSql(count, {
          from: writer * share + 1,
          to: Math.min(count, (writer + 1) * share),
        }),
      ),
    ),
  );
  const [hours = '', ...others] = sumsSql;
  const indexes = tables
    .flatMap((table) => indexStatements(schema, table))
    .map((statement) => run(db, statement));
  await run(db, hours);
  await Promise.all([...indexes, ...others.map((statement) => run(db, statement))]);
  // As the engine does by itself within minutes.
  await run(db, 'VACUUM (ANALYZE)');
};
