import { type RawBuilder, sql } from 'kysely';
import { facetOf } from './facets.ts';
import type { Grain, Stretch } from './split-range.ts';

/** What a reader of the log asks for. "" and 0 mean: all. Times are Unix seconds, inclusive. */
export type LogFilter = Readonly<{
  type: number;
  start: number;
  end: number;
  userId: number;
  username: string;
  tokenName: string;
  /** Knows the wildcards `%` and `_`. */
  modelName: string;
  group: string;
  channel: number;
}>;

const facetFor = ({ userId, username, tokenName, modelName, channel, group }: LogFilter) =>
  facetOf({
    ...(userId === 0 ? {} : { user_id: userId }),
    ...(username === '' ? {} : { username }),
    ...(tokenName === '' ? {} : { token_name: tokenName }),
    ...(modelName === '' ? {} : { model_name: modelName }),
    ...(channel === 0 ? {} : { channel_id: channel }),
    ...(group === '' ? {} : { group }),
  });

/** How deep the hourly sums have to be to answer a filter. */
export type Depth = 'site_hours' | 'user_hours' | 'facet_hours' | 'hours';
export const depthOf = (filter: LogFilter): Depth => {
  const { username, tokenName, modelName, group, channel } = filter;
  if (username || tokenName || modelName || group || channel !== 0) {
    return facetFor(filter) === null ? 'hours' : 'facet_hours';
  }
  return filter.userId === 0 ? 'site_hours' : 'user_hours';
};

type Condition = RawBuilder<unknown>;
const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`TRUE` : sql.join([...conditions], sql` AND `);

/** Of sums. Below 0: charges whose entries were pruned, which only the dashboard counts. */
const ofType = ({ type }: LogFilter): Condition =>
  type === 0 ? sql`type > 0` : sql`type = ${type}`;
const isPattern = (modelName: string): boolean => /[%_]/.test(modelName);

/** Everything but time and type; the entries and their sums share the names of the columns. */
const labelled = (filter: LogFilter): readonly Condition[] => {
  const conditions: Condition[] = [];
  if (filter.userId !== 0) conditions.push(sql`user_id = ${filter.userId}`);
  if (filter.username !== '') conditions.push(sql`username = ${filter.username}`);
  if (filter.tokenName !== '') conditions.push(sql`token_name = ${filter.tokenName}`);
  if (filter.modelName !== '') {
    conditions.push(
      isPattern(filter.modelName)
        ? sql`model_name LIKE ${filter.modelName}`
        : sql`model_name = ${filter.modelName}`,
    );
  }
  if (filter.group !== '') conditions.push(sql`"group" = ${filter.group}`);
  if (filter.channel !== 0) conditions.push(sql`channel_id = ${filter.channel}`);
  return conditions;
};

/**
 * Of entries, everything but the time. Says nothing where nothing is asked, so that an index alone
 * can answer.
 */
export const matches = (filter: LogFilter): Condition =>
  all([...(filter.type === 0 ? [] : [sql`type = ${filter.type}`]), ...labelled(filter)]);

const farFuture = 253_402_300_799;
/** What a filter asks for in time; an end of 0 is open. */
export const rangeOf = ({ start, end }: Pick<LogFilter, 'start' | 'end'>): Stretch => ({
  from: Math.max(0, start),
  to: end <= 0 ? farFuture : end,
});

/** Sums by units of time (seconds), and which of their rows a filter takes. */
export type SumsGrain = Grain &
  Readonly<{ table: string; time: 'hour' | 'minute'; rows: Condition }>;

/** The hourly sums that answer a filter with the fewest rows. */
const hoursFor = (filter: LogFilter): SumsGrain => {
  const from = { unit: 3600, table: `usage_log.${depthOf(filter)}`, time: 'hour' } as const;
  const facet = facetFor(filter);
  if (facet === null) return { ...from, rows: all([ofType(filter), ...labelled(filter)]) };
  const value = isPattern(filter.modelName)
    ? sql`value LIKE ${facet.value}`
    : sql`value = ${facet.value}`;
  return { ...from, rows: sql`facet = ${facet.facet} AND ${value} AND ${ofType(filter)}` };
};

/** All sums that answer a filter, the coarsest first; minutes know types and groups alone. */
export const grainsFor = (filter: LogFilter): readonly SumsGrain[] => {
  const hours = hoursFor(filter);
  const { userId, username, tokenName, modelName, channel } = filter;
  if (userId !== 0 || username || tokenName || modelName || channel !== 0) return [hours];
  const rows = all([ofType(filter), ...labelled(filter)]);
  return [hours, { unit: 60, table: 'usage_log.group_minutes', time: 'minute', rows }];
};
