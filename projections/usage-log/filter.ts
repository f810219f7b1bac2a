import { type RawBuilder, sql } from 'kysely';
import { facetOf } from './facets.ts';
import type { Grain, Stretch } from './split-range.ts';

/** Filters of a reader of the log. "", 0 and null: all. Times are Unix seconds, inclusive. */
export type LogFilter = Readonly<{
  type: number;
  start: number;
  end: number;
  userId: number;
  /** Tokens of a name may be several, or none. */
  tokenIds: readonly number[] | null;
  /** Supports the wildcards `%` and `_`. */
  modelName: string;
  group: string;
  channel: number;
}>;

const facetFor = ({ userId, tokenIds, modelName, channel, group }: LogFilter) =>
  facetOf({
    ...(userId === 0 ? {} : { user_id: userId }),
    ...(tokenIds === null ? {} : { token_id: tokenIds }),
    ...(modelName === '' ? {} : { model_name: modelName }),
    ...(channel === 0 ? {} : { channel_id: channel }),
    ...(group === '' ? {} : { group }),
  });

/** How deep the hourly sums have to be to answer a filter. */
export type Depth = 'site_hours' | 'user_hours' | 'facet_hours' | 'hours';
export const depthOf = (filter: LogFilter): Depth => {
  const { tokenIds, modelName, group, channel } = filter;
  if (tokenIds !== null || modelName || group || channel !== 0) {
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

const isOneOf = (column: string, ids: readonly number[]): Condition =>
  ids.length === 1
    ? sql`${sql.ref(column)} = ${ids[0]}`
    : sql`${sql.ref(column)} = ANY(${ids}::int8[])`;

/** Everything but time and type; the entries and their sums share the names of the columns. */
const labelled = (filter: LogFilter): readonly Condition[] => {
  const conditions: Condition[] = [];
  if (filter.userId !== 0) conditions.push(sql`user_id = ${filter.userId}`);
  if (filter.tokenIds !== null) conditions.push(isOneOf('token_id', filter.tokenIds));
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
 * Of entries, everything but the time. Empty where nothing is requested, so that an index alone can
 * answer.
 */
export const matches = (filter: LogFilter): Condition =>
  all([...(filter.type === 0 ? [] : [sql`type = ${filter.type}`]), ...labelled(filter)]);

const farFuture = 253_402_300_799;
/** The time range of a filter; an end of 0 is open. */
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
  const [first] = facet.values;
  const one = isPattern(filter.modelName) ? sql`value LIKE ${first}` : sql`value = ${first}`;
  const value = facet.values.length === 1 ? one : sql`value = ANY(${facet.values}::text[])`;
  return { ...from, rows: sql`facet = ${facet.facet} AND ${value} AND ${ofType(filter)}` };
};

/** All sums that answer a filter, the coarsest first; minutes contain types and groups alone. */
export const grainsFor = (filter: LogFilter): readonly SumsGrain[] => {
  const hours = hoursFor(filter);
  const { userId, tokenIds, modelName, channel } = filter;
  if (userId !== 0 || tokenIds !== null || modelName || channel !== 0) return [hours];
  const rows = all([ofType(filter), ...labelled(filter)]);
  return [hours, { unit: 60, table: 'usage_log.group_minutes', time: 'minute', rows }];
};
