import type { CallFacts } from '../../domain/account/events.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { LogType } from '../contract/log.ts';
import type { Writers } from '../runtime/table.ts';
import { hourOf, secondsOf } from '../shared/time.ts';
import type { LogDetails } from './details.ts';
import type { UsageLogRow, usageLogTables } from './table.ts';

type Rows = Writers<typeof usageLogTables>;
export type NewEntry = Partial<Omit<UsageLogRow, 'id' | 'created_at' | 'details' | 'type'>> &
  Readonly<{ type: LogType; user_id: number; username: string; details: LogDetails }>;

/** Writes an entry and counts it in its hour, at all three depths. */
export const writeEntry = (rows: Rows, recorded: Recorded, entry: NewEntry): void => {
  const created_at = secondsOf(recorded);
  const row: UsageLogRow = {
    token_id: 0,
    token_name: '',
    model_name: '',
    channel_id: 0,
    group: '',
    quota: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    duration_ms: 0,
    is_stream: false,
    request_id: '',
    ...entry,
    id: Number(recorded.position),
    created_at,
    details: JSON.stringify(entry.details),
  };
  rows.entries.insert(row);
  const { type, user_id, username, token_name, model_name, channel_id, group } = row;
  const hour = hourOf(created_at);
  const sums = { count: 1, quota: row.quota, tokens: row.prompt_tokens + row.completion_tokens };
  rows.siteHours.accumulate({ hour, type, ...sums });
  rows.userHours.accumulate({ hour, type, user_id, ...sums });
  rows.hours.accumulate({
    hour,
    type,
    user_id,
    username,
    token_name,
    model_name,
    channel_id,
    group,
    ...sums,
  });
};

/** The columns that come from the facts of a call. */
export const callColumns = (call: CallFacts) => ({
  username: call.username,
  token_id: call.tokenId,
  token_name: call.tokenName,
  model_name: call.model,
  channel_id: call.channelId,
  group: call.group,
  duration_ms: Math.round(call.durationMs),
  is_stream: call.isStream,
  request_id: call.requestId,
});
