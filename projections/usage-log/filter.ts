import { type RawBuilder, sql } from 'kysely';
import { facetOf } from './facets.ts';

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

/** Everything but time and type; the entries and their hourly sums share the names of the columns. */
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

/** The hourly sums that answer a filter with the fewest rows: their table, and which of its rows. */
export const sumsFor = (filter: LogFilter): Readonly<{ table: string; rows: Condition }> => {
  const table = `usage_log.${depthOf(filter)}`;
  const facet = facetFor(filter);
  if (facet === null) return { table, rows: all([ofType(filter), ...labelled(filter)]) };
  const value = isPattern(filter.modelName)
    ? sql`value LIKE ${facet.value}`
    : sql`value = ${facet.value}`;
  return { table, rows: sql`facet = ${facet.facet} AND ${value} AND ${ofType(filter)}` };
};

/** A stretch of time in Unix seconds, both ends inclusive. */
export type Stretch = Readonly<{ from: number; to: number }>;
export const within = (column: 'created_at' | 'hour', { from, to }: Stretch): Condition =>
  sql`${sql.ref(column)} BETWEEN ${from} AND ${to}`;

const farFuture = 253_402_300_799;

/**
 * Whole hours come from the sums, the two ends from the entries. `null`: no whole hour, or no end
 * that is cut.
 */
export const splitRange = ({
  start,
  end,
}: Pick<LogFilter, 'start' | 'end'>): Readonly<{
  head: Stretch | null;
  hours: Stretch | null;
  tail: Stretch | null;
}> => {
  const from = Math.max(0, start);
  const to = end <= 0 ? farFuture : end;
  const firstHour = Math.ceil(from / 3600) * 3600;
  const afterLastHour = Math.floor((to + 1) / 3600) * 3600;
  if (to < from) return { head: null, hours: null, tail: null };
  if (afterLastHour <= firstHour) {
    const isCut = firstHour <= to && firstHour > from;
    return isCut
      ? { head: { from, to: firstHour - 1 }, hours: null, tail: { from: firstHour, to } }
      : { head: null, hours: null, tail: { from, to } };
  }
  return {
    head: from < firstHour ? { from, to: firstHour - 1 } : null,
    hours: { from: firstHour, to: afterLastHour - 3600 },
    tail: afterLastHour <= to ? { from: afterLastHour, to } : null,
  };
};
