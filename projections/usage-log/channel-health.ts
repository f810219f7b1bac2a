import { type Kysely, sql } from 'kysely';
import type { ChannelHealth } from '../contract/overview.ts';
import type { Stretch } from './split-range.ts';
import type { UsageLogSchema } from './table.ts';
import { sampleChannelHours, sampleChannels, timedCalls, timingsOf } from './timings.ts';

type Db = Kysely<UsageLogSchema>;

const daySeconds = 86_400;
const maxChannels = 100;
const samplesPerChannel = 200;
/** Channels whose latency is read hour by hour, and of how many calls of each hour. */
const maxTimed = 12;
const samplesPerHour = 40;

type Sums = Readonly<{ channel_id: number; calls: number; errors: number; quota: number }>;

const sumsOf = async (db: Db, { from, to }: Stretch): Promise<readonly Sums[]> => {
  const { rows } = await sql<Sums>`
    SELECT channel_id, coalesce(sum(count) FILTER (WHERE type = 2), 0)::int8 AS calls,
      coalesce(sum(count) FILTER (WHERE type = 5), 0)::int8 AS errors, sum(quota)::int8 AS quota
    FROM usage_log.hours
    WHERE hour BETWEEN ${from} AND ${to} AND type IN (2, 5) AND channel_id <> 0
    GROUP BY channel_id ORDER BY sum(count) DESC, channel_id LIMIT ${maxChannels}`.execute(db);
  return rows;
};

type HourSums = Readonly<{ channel_id: number; at: number; calls: number; errors: number }>;

const hoursOf = async (db: Db, { from, to }: Stretch): Promise<readonly HourSums[]> => {
  const since = Math.max(from, to - daySeconds);
  const { rows } = await sql<HourSums>`
    SELECT channel_id, hour AS at, coalesce(sum(count) FILTER (WHERE type = 2), 0)::int8 AS calls,
      coalesce(sum(count) FILTER (WHERE type = 5), 0)::int8 AS errors
    FROM usage_log.hours
    WHERE hour BETWEEN ${since} AND ${to} AND type IN (2, 5) AND channel_id <> 0
    GROUP BY channel_id, hour ORDER BY channel_id, hour`.execute(db);
  return rows;
};

/** How the channels that were called answered. Their names and states are for the caller to add. */
export const healthOf = async (
  db: Db,
  stretch: Stretch,
): Promise<readonly Omit<ChannelHealth, 'name' | 'cooling_until'>[]> => {
  const [channels, hours] = await Promise.all([sumsOf(db, stretch), hoursOf(db, stretch)]);
  const channelIds = channels.map(({ channel_id }) => channel_id);
  const [samples, sampleOf] = await Promise.all([
    sampleChannels(db, stretch, { channelIds, limit: samplesPerChannel }),
    sampleChannelHours(db, {
      channelIds: channelIds.slice(0, maxTimed),
      hours: [...new Set(hours.map(({ at }) => at))],
      limit: samplesPerHour,
    }),
  ]);
  return channels.map(({ channel_id: id, calls, errors, quota }) => ({
    id,
    calls,
    errors,
    quota,
    ...timingsOf(timedCalls(samples.get(id) ?? [], calls)),
    hours: hours
      .filter(({ channel_id }) => channel_id === id)
      .map(({ at, calls: called, errors: failed }) => ({
        at,
        calls: called,
        errors: failed,
        median_ms: timingsOf(timedCalls(sampleOf(id, at), called)).median_ms,
      })),
  }));
};
