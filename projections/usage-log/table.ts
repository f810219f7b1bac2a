import type { LogType } from '../contract/log.ts';
import { tableOf } from '../runtime/table.ts';

export type UsageLogRow = Readonly<{
  /** Place in the log of the event behind the entry. */
  id: number;
  /** Unix seconds. */
  created_at: number;
  type: LogType;
  /** Names of users and tokens are looked up on reading; deleted users have none. */
  user_id: number;
  /** 0: the playground. */
  token_id: number;
  model_name: string;
  channel_id: number;
  group: string;
  /** Quota units of a charge, else 0. */
  quota: number;
  prompt_tokens: number;
  completion_tokens: number;
  duration_ms: number;
  is_stream: boolean;
  request_id: string;
  /** JSON text of `LogDetails`. */
  details: string;
}>;

/** Sums of one hour (its start, Unix seconds), at four depths. `tokens` is prompt and completion. */
type Sums = Readonly<{ count: number; quota: number; tokens: number }>;
export type SiteHourRow = Readonly<{ hour: number; type: number }> & Sums;
export type UserHourRow = Readonly<{ hour: number; type: number; user_id: number }> & Sums;
/** Sums of one value of a facet, see `facets`. */
export type FacetHourRow = Readonly<{ facet: string; value: string; hour: number; type: number }> &
  Sums;
/**
 * Sums of one minute (its start, Unix seconds), for the hours that the ends of a range cut. Every
 * other filter leaves few entries of an hour.
 */
export type GroupMinuteRow = Readonly<{ minute: number; type: number; group: string }> & Sums;
export type UsageHourRow = Readonly<{
  hour: number;
  type: number;
  user_id: number;
  token_id: number;
  model_name: string;
  channel_id: number;
  group: string;
}> &
  Sums;
/** Sums of charges that were made while the dashboard was switched off. */
export type HiddenHourRow = Readonly<{ hour: number; user_id: number; model_name: string }> & Sums;

/**
 * Type of charges in `hours` whose entries were pruned: the dashboard still shows them, the log and
 * its totals do not.
 */
export const prunedCharge = -2;

/** Switches that entries are written by. */
export type SwitchRow = Readonly<{ key: string; value: string }>;

const sums = { count: 'int8', quota: 'int8', tokens: 'int8' } as const;
const counters = ['count', 'quota', 'tokens'] as const;

export const usageLogTables = {
  entries: tableOf<UsageLogRow>()({
    name: 'entries',
    columns: {
      id: 'int8',
      created_at: 'int8',
      type: 'int8',
      user_id: 'int8',
      token_id: 'int8',
      model_name: 'text',
      channel_id: 'int8',
      group: 'text',
      quota: 'int8',
      prompt_tokens: 'int8',
      completion_tokens: 'int8',
      duration_ms: 'int8',
      is_stream: 'bool',
      request_id: 'text',
      details: 'text',
    },
    key: ['created_at', 'id'],
    // Skipped rows of a page are counted in the index alone.
    include: ['type', 'group', 'model_name'],
    partitionByMonth: 'created_at',
    writeIndexes: ['(user_id) WHERE type = 5'],
    indexes: [
      '(user_id, created_at, id) INCLUDE (type)',
      '(token_id, created_at, id) INCLUDE (type)',
      '(model_name, created_at, id) INCLUDE (type)',
      '(channel_id, created_at, id) INCLUDE (type)',
    ],
  }),
  siteHours: tableOf<SiteHourRow>()({
    name: 'site_hours',
    columns: { hour: 'int8', type: 'int8', ...sums },
    key: ['hour', 'type'],
    counters,
  }),
  userHours: tableOf<UserHourRow>()({
    name: 'user_hours',
    columns: { user_id: 'int8', hour: 'int8', type: 'int8', ...sums },
    key: ['user_id', 'hour', 'type'],
    counters,
  }),
  facetHours: tableOf<FacetHourRow>()({
    name: 'facet_hours',
    columns: { facet: 'text', value: 'text', hour: 'int8', type: 'int8', ...sums },
    key: ['facet', 'value', 'hour', 'type'],
    counters,
  }),
  groupMinutes: tableOf<GroupMinuteRow>()({
    name: 'group_minutes',
    columns: { minute: 'int8', type: 'int8', group: 'text', ...sums },
    key: ['minute', 'type', 'group'],
    counters,
  }),
  hours: tableOf<UsageHourRow>()({
    name: 'hours',
    columns: {
      hour: 'int8',
      type: 'int8',
      user_id: 'int8',
      token_id: 'int8',
      model_name: 'text',
      channel_id: 'int8',
      group: 'text',
      ...sums,
    },
    key: ['hour', 'type', 'user_id', 'token_id', 'model_name', 'channel_id', 'group'],
    counters,
    indexes: ['(user_id, hour)', '(token_id, hour)', '(channel_id, hour)'],
  }),
  hiddenHours: tableOf<HiddenHourRow>()({
    name: 'hidden_hours',
    columns: { hour: 'int8', user_id: 'int8', model_name: 'text', ...sums },
    key: ['hour', 'user_id', 'model_name'],
    counters,
  }),
  switches: tableOf<SwitchRow>()({
    name: 'switches',
    columns: { key: 'text', value: 'text' },
    key: ['key'],
  }),
};
export type UsageLogSchema = {
  'usage_log.entries': UsageLogRow;
  'usage_log.site_hours': SiteHourRow;
  'usage_log.user_hours': UserHourRow;
  'usage_log.facet_hours': FacetHourRow;
  'usage_log.group_minutes': GroupMinuteRow;
  'usage_log.hours': UsageHourRow;
  'usage_log.hidden_hours': HiddenHourRow;
};
