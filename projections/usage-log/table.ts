import type { LogType } from '../contract/log.ts';
import { defineTable, int8Of, type RowOf, type SchemaOf } from '../runtime/table.ts';

/**
 * Type of charges in `hours` whose entries were pruned: the dashboard still shows them, the log and
 * its totals do not.
 */
export const prunedCharge = -2;

/** The log keeps failed calls for 30 days only. */
const failures = 'type = 5';

/** Sums of one hour (its start, Unix seconds), at four depths. `tokens` is prompt and completion. */
const sums = { count: 'int8', quota: 'int8', tokens: 'int8' } as const;
const counters = ['count', 'quota', 'tokens'] as const;

export const usageLogTables = {
  entries: defineTable({
    name: 'entries',
    columns: {
      /** Place in the log of the event behind the entry. */
      id: 'int8',
      /** Unix seconds. */
      created_at: 'int8',
      type: int8Of<LogType>(),
      /** Names of users and tokens are looked up on reading; deleted users have none. */
      user_id: 'int8',
      /** 0: the playground. */
      token_id: 'int8',
      model_name: 'text',
      channel_id: 'int8',
      group: 'text',
      /** Quota units of a charge, else 0. */
      quota: 'int8',
      prompt_tokens: 'int8',
      completion_tokens: 'int8',
      duration_ms: 'int8',
      is_stream: 'bool',
      request_id: 'text',
      /** JSON text of `LogDetails`. */
      details: 'text',
    },
    key: ['created_at', 'id'],
    // Skipped rows of a page are counted in the index alone.
    include: ['type', 'group', 'model_name'],
    partitionByMonth: 'created_at',
    eventPosition: 'id',
    expiring: { where: failures, time: 'created_at' },
    writeIndexes: [`(user_id) WHERE ${failures}`],
    indexes: [
      '(id)',
      '(user_id, created_at, id) INCLUDE (type)',
      '(token_id, created_at, id) INCLUDE (type)',
      '(model_name, created_at, id) INCLUDE (type)',
      '(channel_id, created_at, id) INCLUDE (type)',
    ],
  }),
  siteHours: defineTable({
    name: 'site_hours',
    columns: { hour: 'int8', type: 'int8', ...sums },
    key: ['hour', 'type'],
    counters,
    expiring: { where: failures, time: 'hour' },
  }),
  userHours: defineTable({
    name: 'user_hours',
    columns: { user_id: 'int8', hour: 'int8', type: 'int8', ...sums },
    key: ['user_id', 'hour', 'type'],
    counters,
    expiring: { where: failures, time: 'hour' },
  }),
  /** Sums of one value of a facet, see `facets`. */
  facetHours: defineTable({
    name: 'facet_hours',
    columns: { facet: 'text', value: 'text', hour: 'int8', type: 'int8', ...sums },
    key: ['facet', 'value', 'hour', 'type'],
    counters,
    expiring: { where: failures, time: 'hour' },
  }),
  /**
   * Sums of one minute (its start, Unix seconds), for the hours that the ends of a range cut. Every
   * other filter leaves few entries of an hour.
   */
  groupMinutes: defineTable({
    name: 'group_minutes',
    columns: { minute: 'int8', type: 'int8', group: 'text', ...sums },
    key: ['minute', 'type', 'group'],
    counters,
    expiring: { where: failures, time: 'minute' },
  }),
  hours: defineTable({
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
    expiring: { where: failures, time: 'hour' },
    indexes: ['(user_id, hour)', '(token_id, hour)', '(channel_id, hour)'],
  }),
  /** Sums of charges that were made while the dashboard was switched off. */
  hiddenHours: defineTable({
    name: 'hidden_hours',
    columns: { hour: 'int8', user_id: 'int8', model_name: 'text', ...sums },
    key: ['hour', 'user_id', 'model_name'],
    counters,
  }),
  /** Switches that entries are written by. */
  switches: defineTable({
    name: 'switches',
    columns: { key: 'text', value: 'text' },
    key: ['key'],
  }),
};

export type UsageLogRow = RowOf<typeof usageLogTables.entries>;
export type UsageHourRow = RowOf<typeof usageLogTables.hours>;
export type SwitchRow = RowOf<typeof usageLogTables.switches>;
export type UsageLogSchema = SchemaOf<'usage_log', typeof usageLogTables>;
