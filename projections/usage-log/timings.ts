import { type Kysely, sql } from 'kysely';
import type { Stretch } from './split-range.ts';
import type { UsageLogSchema } from './table.ts';

/** One charged call that was read, and how many calls it represents. */
export type TimedCall = Readonly<{
  durationMs: number;
  firstTokenMs: number | null;
  weight: number;
}>;
export type Timings = Readonly<{
  median_ms: number | null;
  p95_ms: number | null;
  first_token_ms: number | null;
}>;

/** The smallest value that at least this share of the weight does not exceed. */
export const quantile = (
  values: readonly Readonly<{ value: number; weight: number }>[],
  share: number,
): number | null => {
  const sorted = [...values].sort((a, b) => a.value - b.value);
  const goal = share * sorted.reduce((sum, { weight }) => sum + weight, 0);
  let reached = 0;
  for (const { value, weight } of sorted) {
    reached += weight;
    if (reached >= goal) return Math.round(value);
  }
  return null;
};

export const timingsOf = (calls: readonly TimedCall[]): Timings => {
  const durations = calls.map(({ durationMs: value, weight }) => ({ value, weight }));
  const firsts = calls.flatMap(({ firstTokenMs: value, weight }) =>
    value === null ? [] : [{ value, weight }],
  );
  return {
    median_ms: quantile(durations, 0.5),
    p95_ms: quantile(durations, 0.95),
    first_token_ms: quantile(firsts, 0.5),
  };
};

type Db = Kysely<UsageLogSchema>;
type ChannelHours = Readonly<{
  channelIds: readonly number[];
  /** Their starts, Unix seconds. */
  hours: readonly number[];
  limit: number;
}>;
type Sampled = Readonly<{ at: number; duration_ms: number; first_ms: number | null }>;

const timingColumns = sql`duration_ms, (details::jsonb ->> 'firstByteMs')::float8 AS first_ms`;

const byPlace = (rows: readonly Sampled[]): ReadonlyMap<number, readonly Sampled[]> => {
  const found = new Map<number, Sampled[]>();
  for (const row of rows) {
    const held = found.get(row.at);
    if (held === undefined) found.set(row.at, [row]);
    else held.push(row);
  }
  return found;
};

/**
 * The newest charged calls of each stretch, at most `limit` of one: durations are in no hourly sum,
 * and reading every entry of a month would take seconds. `userId` 0: of all users.
 */
export const sampleStretches = async (
  db: Db,
  stretches: readonly Stretch[],
  { userId, limit }: Readonly<{ userId: number; limit: number }>,
): Promise<ReadonlyMap<number, readonly Sampled[]>> => {
  const froms = stretches.map(({ from }) => from);
  const tos = stretches.map(({ to }) => to);
  const ofUser = userId === 0 ? sql`TRUE` : sql`user_id = ${userId}`;
  const { rows } = await sql<Sampled>`
    SELECT stretch.low AS at, call.duration_ms, call.first_ms
    FROM unnest(${froms}::int8[], ${tos}::int8[]) AS stretch(low, high)
    CROSS JOIN LATERAL (
      SELECT ${timingColumns} FROM usage_log.entries
      WHERE created_at BETWEEN stretch.low AND stretch.high AND type = 2 AND ${ofUser}
      ORDER BY created_at DESC, id DESC LIMIT ${limit}
    ) AS call`.execute(db);
  return byPlace(rows);
};

/** The same for channels, over one stretch; keyed by their ids. */
export const sampleChannels = async (
  db: Db,
  { from, to }: Stretch,
  { channelIds, limit }: Readonly<{ channelIds: readonly number[]; limit: number }>,
): Promise<ReadonlyMap<number, readonly Sampled[]>> => {
  const { rows } = await sql<Sampled>`
    SELECT channel.id AS at, call.duration_ms, call.first_ms
    FROM unnest(${[...channelIds]}::int8[]) AS channel(id)
    CROSS JOIN LATERAL (
      SELECT ${timingColumns} FROM usage_log.entries
      WHERE channel_id = channel.id AND created_at BETWEEN ${from} AND ${to} AND type = 2
      ORDER BY created_at DESC, id DESC LIMIT ${limit}
    ) AS call`.execute(db);
  return byPlace(rows);
};

/** The same for each hour of these channels; a part that is missing has no call. */
export const sampleChannelHours = async (
  db: Db,
  { channelIds, hours, limit }: ChannelHours,
): Promise<(channelId: number, hour: number) => readonly Sampled[]> => {
  const { rows } = await sql<Sampled & Readonly<{ channel_id: number }>>`
    SELECT channel.id AS channel_id, hour.low AS at, call.duration_ms, call.first_ms
    FROM unnest(${[...channelIds]}::int8[]) AS channel(id)
    CROSS JOIN unnest(${[...hours]}::int8[]) AS hour(low)
    CROSS JOIN LATERAL (
      SELECT ${timingColumns} FROM usage_log.entries
      WHERE channel_id = channel.id AND created_at BETWEEN hour.low AND hour.low + 3599 AND type = 2
      ORDER BY created_at DESC, id DESC LIMIT ${limit}
    ) AS call`.execute(db);
  return (channelId, hour) =>
    rows.filter(({ channel_id, at }) => channel_id === channelId && at === hour);
};

/** `calls`: how many there are, of which these were read. */
export const timedCalls = (rows: readonly Sampled[], calls: number): readonly TimedCall[] =>
  rows.map(({ duration_ms, first_ms }) => ({
    durationMs: duration_ms,
    firstTokenMs: first_ms,
    weight: Math.max(1, calls / rows.length),
  }));
