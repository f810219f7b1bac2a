import type { CallFacts } from '../../domain/account/events.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { LogType } from '../contract/log.ts';
import type { Gathered } from '../runtime/row-batch.ts';
import type { Writers } from '../runtime/table.ts';
import { hourOf, minuteOf, secondsOf } from '../shared/time.ts';
import type { LogDetails } from './details.ts';
import { facetValues } from './facets.ts';
import { prunedCharge, type UsageHourRow, type UsageLogRow, type usageLogTables } from './table.ts';

type Rows = Writers<typeof usageLogTables>;
export type NewEntry = Partial<Omit<UsageLogRow, 'id' | 'created_at' | 'details' | 'type'>> &
  Readonly<{ type: LogType; user_id: number; details: LogDetails }>;

/** Writes an entry and counts it in its hour and its minute. */
export const writeEntry = (rows: Rows, recorded: Recorded, entry: NewEntry): void => {
  const created_at = secondsOf(recorded);
  const row: UsageLogRow = {
    id: Number(recorded.position),
    created_at,
    type: entry.type,
    user_id: entry.user_id,
    token_id: entry.token_id ?? 0,
    model_name: entry.model_name ?? '',
    channel_id: entry.channel_id ?? 0,
    group: entry.group ?? '',
    quota: entry.quota ?? 0,
    prompt_tokens: entry.prompt_tokens ?? 0,
    completion_tokens: entry.completion_tokens ?? 0,
    duration_ms: entry.duration_ms ?? 0,
    is_stream: entry.is_stream ?? false,
    request_id: entry.request_id ?? '',
    details: JSON.stringify(entry.details),
  };
  rows.entries.insert(row);
  const counters = {
    count: 1,
    quota: row.quota,
    tokens: row.prompt_tokens + row.completion_tokens,
  };
  rows.hours.accumulate({
    hour: hourOf(created_at),
    type: entry.type,
    user_id: row.user_id,
    token_id: row.token_id,
    model_name: row.model_name,
    channel_id: row.channel_id,
    group: row.group,
    ...counters,
  });
  const minute = minuteOf(created_at);
  rows.groupMinutes.accumulate({ minute, type: entry.type, group: row.group, ...counters });
};

/** The shallower hourly sums follow from the deepest ones, once for a whole batch. */
export const sumUp = (rows: Rows, { hours }: Gathered<typeof usageLogTables>): void => {
  // They were written above, as rows of this table.
  for (const sums of hours.accumulated as readonly UsageHourRow[]) {
    const { hour, type, user_id, count, quota, tokens } = sums;
    if (type === prunedCharge) continue;
    rows.siteHours.accumulate({ hour, type, count, quota, tokens });
    rows.userHours.accumulate({ hour, type, user_id, count, quota, tokens });
    for (const { facet, value } of facetValues(sums)) {
      rows.facetHours.accumulate({ facet, value, hour, type, count, quota, tokens });
    }
  }
};

/**
 * A charge that arrives when its time is out of the log already: it counts in the dashboard and
 * nowhere else. An error of that age is left out altogether.
 */
export const countPruned = (rows: Rows, recorded: Recorded, entry: NewEntry): void => {
  if (entry.type !== 2) return;
  rows.hours.accumulate({
    hour: hourOf(secondsOf(recorded)),
    type: prunedCharge,
    user_id: entry.user_id,
    token_id: entry.token_id ?? 0,
    model_name: entry.model_name ?? '',
    channel_id: entry.channel_id ?? 0,
    group: entry.group ?? '',
    count: 1,
    quota: entry.quota ?? 0,
    tokens: (entry.prompt_tokens ?? 0) + (entry.completion_tokens ?? 0),
  });
};

/** Counts a charge that the dashboard leaves out; the sums that it reads hold all charges. */
export const hideFromDashboard = (rows: Rows, recorded: Recorded, entry: NewEntry): void => {
  rows.hiddenHours.accumulate({
    hour: hourOf(secondsOf(recorded)),
    user_id: entry.user_id,
    model_name: entry.model_name ?? '',
    count: 1,
    quota: entry.quota ?? 0,
    tokens: (entry.prompt_tokens ?? 0) + (entry.completion_tokens ?? 0),
  });
};

/** The columns that contain the facts of a call. */
export const callColumns = (call: CallFacts) => ({
  token_id: call.tokenId,
  model_name: call.model,
  channel_id: call.channelId,
  group: call.group,
  duration_ms: Math.round(call.durationMs),
  is_stream: call.isStream,
  request_id: call.requestId,
});
