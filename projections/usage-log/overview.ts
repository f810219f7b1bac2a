import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { OverviewPoint, StretchFigures } from '../contract/overview.ts';
import { sumRange } from './queries.ts';
import type { Stretch } from './split-range.ts';
import { prunedCharge, type UsageLogSchema } from './table.ts';
import { sampleStretches, timedCalls, timingsOf } from './timings.ts';

type Db = Kysely<UsageLogSchema>;

const hourSeconds = 3600;
/** As many points as a small chart can distinguish. */
const maxPoints = 32;
/** Calls read for the durations of one point. */
const samplesPerPoint = 60;

/** Stretches of whole hours, the first and the last cut by the range. */
export const pointsOf = ({ from, to }: Stretch): readonly Stretch[] => {
  const first = Math.floor(from / hourSeconds) * hourSeconds;
  const hours = Math.max(1, Math.ceil((to + 1 - first) / hourSeconds));
  const step = Math.ceil(hours / maxPoints) * hourSeconds;
  const points: Stretch[] = [];
  for (let at = first; at <= to; at += step) {
    points.push({ from: Math.max(from, at), to: Math.min(to, at + step - 1) });
  }
  return points;
};

export const stretchBefore = ({ from, to }: Stretch): Stretch => ({
  from: Math.max(0, from - (to - from + 1)),
  to: from - 1,
});

type Counts = Readonly<{ calls: number; errors: number; quota: number; tokens: number }>;

/** The dashboard still counts charges whose entries were pruned. */
const counts: RawBuilder<unknown> = sql`
  coalesce(sum(count) FILTER (WHERE type <> 5), 0)::int8 AS calls,
  coalesce(sum(count) FILTER (WHERE type = 5), 0)::int8 AS errors,
  coalesce(sum(quota), 0)::int8 AS quota,
  coalesce(sum(tokens) FILTER (WHERE type <> 5), 0)::int8 AS tokens`;

const chosen = ({ from, to }: Stretch, userId: number): RawBuilder<unknown> =>
  sql`hour BETWEEN ${from} AND ${to} AND type IN (2, 5, ${prunedCharge})
    AND ${userId === 0 ? sql`TRUE` : sql`user_id = ${userId}`}`;

type Pruned = Readonly<{ pruned: number; pruned_quota: number; pruned_tokens: number }>;
type HourCounts = Counts & Pruned & Readonly<{ hour: number }>;

const byHour = async (db: Db, stretch: Stretch, userId: number): Promise<readonly HourCounts[]> => {
  const ofPruned = sql`FILTER (WHERE type = ${prunedCharge})`;
  const { rows } = await sql<HourCounts>`
    SELECT hour, ${counts}, coalesce(sum(count) ${ofPruned}, 0)::int8 AS pruned,
      coalesce(sum(quota) ${ofPruned}, 0)::int8 AS pruned_quota,
      coalesce(sum(tokens) ${ofPruned}, 0)::int8 AS pruned_tokens
    FROM usage_log.hours WHERE ${chosen(stretch, userId)}
    GROUP BY hour ORDER BY hour`.execute(db);
  return rows;
};

/** Exact to the second: it is what the log lists for the same range. */
const listed = async (db: Db, { from, to }: Stretch, userId: number): Promise<Counts> => {
  const all = { userId, tokenIds: null, modelName: '', group: '', channel: 0 };
  const filter = { ...all, start: from, end: Math.max(1, to) };
  const [charges, errors] = await Promise.all([
    sumRange(db, { ...filter, type: 2 }),
    sumRange(db, { ...filter, type: 5 }),
  ]);
  return {
    calls: charges.count,
    errors: errors.count,
    quota: charges.quota,
    tokens: charges.tokens,
  };
};

const sumOf = <Name extends string>(rows: readonly Readonly<Record<Name, number>>[], name: Name) =>
  rows.reduce((total, row) => total + row[name], 0);

type Figures = Readonly<{ figures: StretchFigures; points: readonly OverviewPoint[] }>;

/** Sums and durations of a stretch, and the same along the way. `userId` 0: of all users. */
export const figuresOf = async (db: Db, stretch: Stretch, userId: number): Promise<Figures> => {
  const parts = pointsOf(stretch);
  const [sums, hours, samples] = await Promise.all([
    listed(db, stretch, userId),
    byHour(db, stretch, userId),
    sampleStretches(db, parts, { userId, limit: samplesPerPoint }),
  ]);
  const points = parts.map(({ from, to }) => {
    const own = hours.filter(({ hour }) => hour >= from && hour <= to);
    return { from, own, timed: timedCalls(samples.get(from) ?? [], sumOf(own, 'calls')) };
  });
  return {
    figures: {
      start: stretch.from,
      end: stretch.to,
      calls: sums.calls + sumOf(hours, 'pruned'),
      errors: sums.errors,
      quota: sums.quota + sumOf(hours, 'pruned_quota'),
      tokens: sums.tokens + sumOf(hours, 'pruned_tokens'),
      ...timingsOf(points.flatMap(({ timed }) => timed)),
    },
    points: points.map(({ from, own, timed }) => {
      const { median_ms, first_token_ms } = timingsOf(timed);
      return {
        at: from,
        calls: sumOf(own, 'calls'),
        errors: sumOf(own, 'errors'),
        quota: sumOf(own, 'quota'),
        median_ms,
        first_token_ms,
      };
    }),
  };
};

export type Ranked = Counts & Readonly<{ kind: 'model' | 'user' | 'token'; value: string }>;

/** The models, users and tokens that cost most, in one reading of the hourly sums. */
export const rankingsOf = async (
  db: Db,
  stretch: Stretch,
  { userId, limit }: Readonly<{ userId: number; limit: number }>,
): Promise<readonly Ranked[]> => {
  const { rows } = await sql<Ranked>`
    SELECT kind, value, calls, errors, quota, tokens FROM (
      SELECT *, row_number() OVER (PARTITION BY kind ORDER BY quota DESC, calls DESC, value)
        AS place
      FROM (
        SELECT CASE WHEN grouping(model_name) = 0 THEN 'model'
            WHEN grouping(user_id) = 0 THEN 'user' ELSE 'token' END AS kind,
          coalesce(model_name, user_id::text, token_id::text) AS value, ${counts}
        FROM usage_log.hours WHERE ${chosen(stretch, userId)}
        GROUP BY GROUPING SETS ((model_name), (user_id), (token_id))
      ) AS summed
      WHERE calls > 0
    ) AS ranked
    WHERE place <= ${limit} ORDER BY kind, place`.execute(db);
  return rows;
};
