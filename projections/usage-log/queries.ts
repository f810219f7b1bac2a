import { type Kysely, sql } from 'kysely';
import { hourOf } from '../shared/time.ts';
import { type LogFilter, matches, type Stretch, splitRange, sumsFor, within } from './filter.ts';
import { prunedCharge, type UsageLogRow, type UsageLogSchema } from './table.ts';

type Db = Kysely<UsageLogSchema>;
export type Sums = Readonly<{ count: number; quota: number; tokens: number }>;

const nothing: Sums = { count: 0, quota: 0, tokens: 0 };
const plus = (a: Sums, b: Sums): Sums => ({
  count: a.count + b.count,
  quota: a.quota + b.quota,
  tokens: a.tokens + b.tokens,
});

/** Sums over single entries; cheap for the cut hours at the ends of a range. */
export const sumEntries = async (db: Db, filter: LogFilter, stretch: Stretch): Promise<Sums> => {
  const { rows } = await sql<Sums>`
    SELECT count(*) AS count, coalesce(sum(quota), 0)::int8 AS quota,
      coalesce(sum(prompt_tokens + completion_tokens), 0)::int8 AS tokens
    FROM usage_log.entries WHERE ${within('created_at', stretch)} AND ${matches(filter)}`.execute(
    db,
  );
  return rows[0] ?? nothing;
};

/** Only how many: an index can say that without the rows. */
const countOf = (filter: LogFilter, stretch: Stretch) =>
  sql<number>`(SELECT count(*) FROM usage_log.entries
    WHERE ${within('created_at', stretch)} AND ${matches(filter)})`;

/** What a cut leaves of its hour where that is the smaller part; `null`: the cut is smaller. */
const restOfHour = ({ from, to }: Stretch): Stretch | null => {
  const hour = hourOf(from);
  const last = hour + 3599;
  if (to - from < 1800) return null;
  if (from === hour) return { from: to + 1, to: last };
  return to === last ? { from: hour, to: from - 1 } : null;
};

/** Counts the smaller part of an hour; the sum of the hour, of the same moment, knows the other. */
const countCut = async (db: Db, filter: LogFilter, cut: Stretch): Promise<number> => {
  const rest = restOfHour(cut);
  const hour = hourOf(cut.from);
  const { table, rows: chosen } = sumsFor(filter);
  const count =
    rest === null
      ? countOf(filter, cut)
      : sql<number>`(SELECT coalesce(sum(count), 0)::int8 FROM ${sql.table(table)}
          WHERE ${within('hour', { from: hour, to: hour })} AND ${chosen}) -
          ${countOf(filter, rest)}`;
  const { rows } = await sql<{ count: number }>`SELECT ${count} AS count`.execute(db);
  return rows[0]?.count ?? 0;
};

/** Entries that a cut at this time (Unix seconds) takes out of the log. */
export const countBefore = async (db: Db, before: number): Promise<number> => {
  // A filter takes an end of 0 for an open one.
  if (before <= 1) return 0;
  const open = { start: 0, end: before - 1, userId: 0, username: '', tokenName: '' };
  const filter = { ...open, modelName: '', group: '', channel: 0 };
  const [charges, errors] = await Promise.all([
    sumRange(db, { ...filter, type: 2 }),
    sumRange(db, { ...filter, type: 5 }),
  ]);
  return charges.count + errors.count;
};

const sumHours = async (db: Db, filter: LogFilter, hours: Stretch): Promise<Sums> => {
  const { table, rows: chosen } = sumsFor(filter);
  const { rows } = await sql<Sums>`
    SELECT coalesce(sum(count), 0)::int8 AS count, coalesce(sum(quota), 0)::int8 AS quota,
      coalesce(sum(tokens), 0)::int8 AS tokens
    FROM ${sql.table(table)} WHERE ${within('hour', hours)} AND ${chosen}`.execute(db);
  return rows[0] ?? nothing;
};

/** Count and sums of all that the filter lets through, whatever the size of the log. */
export const sumRange = async (db: Db, filter: LogFilter): Promise<Sums> => {
  const { head, hours, tail } = splitRange(filter);
  const parts = await Promise.all([
    head === null ? nothing : sumEntries(db, filter, head),
    hours === null ? nothing : sumHours(db, filter, hours),
    tail === null ? nothing : sumEntries(db, filter, tail),
  ]);
  return parts.reduce(plus, nothing);
};

type Bucket = Stretch & Readonly<{ count: number }>;

const hourBuckets = async (db: Db, filter: LogFilter, hours: Stretch): Promise<Bucket[]> => {
  const { table, rows: chosen } = sumsFor(filter);
  const { rows } = await sql<{ hour: number; count: number }>`
    SELECT hour, sum(count)::int8 AS count FROM ${sql.table(table)}
    WHERE ${within('hour', hours)} AND ${chosen}
    GROUP BY hour ORDER BY hour DESC`.execute(db);
  return rows.map(({ hour, count }) => ({ from: hour, to: hour + 3599, count }));
};

const cutBucket = async (db: Db, filter: LogFilter, cut: Stretch | null): Promise<Bucket[]> => {
  if (cut === null) return [];
  const count = await countCut(db, filter, cut);
  return count === 0 ? [] : [{ ...cut, count }];
};

/** Buckets that hold the rows of a page, and how many rows of the first to leave out. */
const bucketsOfPage = (
  buckets: readonly Bucket[],
  { offset, limit }: Readonly<{ offset: number; limit: number }>,
): { chosen: Bucket[]; skip: number } => {
  const chosen: Bucket[] = [];
  let before = 0;
  let skip = 0;
  for (const bucket of buckets) {
    const after = before + bucket.count;
    if (after > offset) {
      if (chosen.length === 0) skip = offset - before;
      chosen.push(bucket);
    }
    if (after >= offset + limit) break;
    before = after;
  }
  return { chosen, skip };
};

/**
 * One page, newest first. The hourly sums tell in which hours its rows lie, so that page 10,000
 * costs what page 1 costs: only those hours are read, the first of them from its nearer end.
 */
export const listEntries = async (
  db: Db,
  filter: LogFilter,
  { page, pageSize }: Readonly<{ page: number; pageSize: number }>,
): Promise<{ rows: UsageLogRow[]; total: number }> => {
  const { head, hours, tail } = splitRange(filter);
  const [newest, whole, oldest] = await Promise.all([
    cutBucket(db, filter, tail),
    hours === null ? [] : hourBuckets(db, filter, hours),
    cutBucket(db, filter, head),
  ]);
  const buckets = [...newest, ...whole, ...oldest];
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  const range = { offset: (page - 1) * pageSize, limit: pageSize };
  const { chosen, skip } = bucketsOfPage(buckets, range);
  if (chosen.length === 0) return { rows: [], total };
  const froms = chosen.map(({ from }) => from);
  const tos = chosen.map(({ to }) => to);
  const inFirst = chosen[0]?.count ?? 0;
  const rises = skip > inFirst / 2;
  // Only the keys are sorted and skipped over; whole rows are read for the page alone.
  const enough = rises ? inFirst - skip : skip + pageSize;
  const limits = chosen.map((_, index) => (index === 0 ? enough : pageSize));
  const rising = chosen.map((_, index) => index === 0 && rises);
  const { rows } = await sql<UsageLogRow>`
    WITH page AS MATERIALIZED (
      SELECT found.* FROM
        unnest(${froms}::int8[], ${tos}::int8[], ${limits}::int8[], ${rising}::bool[])
          AS bucket(low, high, enough, rises)
      CROSS JOIN LATERAL (
        (SELECT created_at, id FROM usage_log.entries
          WHERE created_at BETWEEN bucket.low AND bucket.high AND ${matches(filter)}
            AND NOT bucket.rises
          ORDER BY created_at DESC, id DESC LIMIT bucket.enough)
        UNION ALL
        (SELECT created_at, id FROM usage_log.entries
          WHERE created_at BETWEEN bucket.low AND bucket.high AND ${matches(filter)}
            AND bucket.rises
          ORDER BY created_at, id LIMIT bucket.enough)
      ) AS found
      ORDER BY found.created_at DESC, found.id DESC OFFSET ${rises ? 0 : skip} LIMIT ${pageSize}
    )
    SELECT entries.* FROM page CROSS JOIN LATERAL (
      SELECT * FROM usage_log.entries AS e
      WHERE e.created_at = page.created_at AND e.id = page.id LIMIT 1
    ) AS entries
    ORDER BY entries.created_at DESC, entries.id DESC`.execute(db);
  return { rows, total };
};

export type ModelHour = Sums & Readonly<{ hour: number; model_name: string }>;

/** Charges by hour and model, of one user or of all (console sheet, section 16). */
export const modelHours = async (
  db: Db,
  range: Stretch,
  of: Readonly<{ userId: number; username: string }>,
): Promise<ModelHour[]> => {
  let query = db
    .selectFrom('usage_log.hours')
    .select(['hour', 'model_name'])
    .select([
      sql<number>`sum(count)::int8`.as('count'),
      sql<number>`sum(quota)::int8`.as('quota'),
      sql<number>`sum(tokens)::int8`.as('tokens'),
    ])
    .where('type', 'in', [2, prunedCharge])
    .where('hour', '>=', range.from)
    .where('hour', '<=', range.to);
  if (of.userId !== 0) query = query.where('user_id', '=', of.userId);
  if (of.username !== '') query = query.where('username', '=', of.username);
  return query.groupBy(['hour', 'model_name']).orderBy('hour').orderBy('model_name').execute();
};

/** The newest entries that one token caused. */
export const entriesOfToken = (
  db: Db,
  of: Readonly<{ userId: number; tokenId: number }>,
  limit: number,
): Promise<UsageLogRow[]> =>
  db
    .selectFrom('usage_log.entries')
    .selectAll()
    .where('user_id', '=', of.userId)
    .where('token_id', '=', of.tokenId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
