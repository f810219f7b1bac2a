import { type Kysely, type RawBuilder, sql } from 'kysely';
import { grainsFor, type LogFilter, matches, rangeOf, type SumsGrain } from './filter.ts';
import {
  type Cut,
  type Part,
  restOf,
  type Stretch,
  splitRange,
  type Units,
} from './split-range.ts';
import type { UsageLogRow, UsageLogSchema } from './table.ts';

type Db = Kysely<UsageLogSchema>;
export type Sums = Readonly<{ count: number; quota: number; tokens: number }>;

const nothing: Sums = { count: 0, quota: 0, tokens: 0 };
const plus = (a: Sums, b: Sums): Sums => ({
  count: a.count + b.count,
  quota: a.quota + b.quota,
  tokens: a.tokens + b.tokens,
});

const partsOf = (filter: LogFilter): readonly Part<SumsGrain>[] =>
  splitRange(rangeOf(filter), grainsFor(filter));

const within = (time: string, { from, to }: Stretch): RawBuilder<unknown> =>
  sql`${sql.ref(time)} BETWEEN ${from} AND ${to}`;

const sumsOfEntries = (filter: LogFilter, stretch: Stretch): RawBuilder<Sums> =>
  sql`SELECT count(*) AS count, coalesce(sum(quota), 0)::int8 AS quota,
      coalesce(sum(prompt_tokens + completion_tokens), 0)::int8 AS tokens
    FROM usage_log.entries WHERE ${within('created_at', stretch)} AND ${matches(filter)}`;

const sumsOfUnits = ({ table, time, rows }: SumsGrain, stretch: Stretch): RawBuilder<Sums> =>
  sql`SELECT coalesce(sum(count), 0)::int8 AS count, coalesce(sum(quota), 0)::int8 AS quota,
      coalesce(sum(tokens), 0)::int8 AS tokens
    FROM ${sql.table(table)} WHERE ${within(time, stretch)} AND ${rows}`;

/** Reads the smaller side of a unit that is cut; the sum of the unit, of that moment, has both. */
const sumsOfCut = (filter: LogFilter, { from, to, of }: Cut<SumsGrain>): RawBuilder<Sums> => {
  const rest = of === null ? null : restOf({ from, to }, of.unit);
  if (of === null || rest === null) return sumsOfEntries(filter, { from, to });
  const start = Math.min(from, rest.from);
  return sql`SELECT whole.count - rest.count AS count, whole.quota - rest.quota AS quota,
      whole.tokens - rest.tokens AS tokens
    FROM (${sumsOfUnits(of, { from: start, to: start })}) AS whole,
      (${sumsOfEntries(filter, rest)}) AS rest`;
};

/** Sums over single entries; cheap for short stretches. */
export const sumEntries = async (db: Db, filter: LogFilter, stretch: Stretch): Promise<Sums> => {
  const { rows } = await sumsOfEntries(filter, stretch).execute(db);
  return rows[0] ?? nothing;
};

/** Count and sums of all that the filter lets through, whatever the size of the log. */
export const sumRange = async (db: Db, filter: LogFilter): Promise<Sums> => {
  // One by one: over all of them together the planner would start workers, which take longer.
  const parts = partsOf(filter).map((part) =>
    part.grain === null ? sumsOfCut(filter, part) : sumsOfUnits(part.grain, part),
  );
  const sums = await Promise.all(parts.map((statement) => statement.execute(db)));
  return sums.map(({ rows }) => rows[0] ?? nothing).reduce(plus, nothing);
};

/** Entries that a cut at this time (Unix seconds) takes out of the log. */
export const countBefore = async (db: Db, before: number): Promise<number> => {
  // A filter takes an end of 0 for an open one.
  if (before <= 1) return 0;
  const open = { start: 0, end: before - 1, userId: 0, tokenIds: null };
  const filter = { ...open, modelName: '', group: '', channel: 0 };
  const [charges, errors] = await Promise.all([
    sumRange(db, { ...filter, type: 2 }),
    sumRange(db, { ...filter, type: 5 }),
  ]);
  return charges.count + errors.count;
};

type Bucket = Stretch & Readonly<{ count: number }>;

/** Only the count of the sums is read, which an index alone can return. */
const cutBucket = async (db: Db, filter: LogFilter, cut: Cut<SumsGrain>): Promise<Bucket[]> => {
  const { rows } = await sql<{ count: number }>`
    SELECT count FROM (${sumsOfCut(filter, cut)}) AS cut`.execute(db);
  return rows.map(({ count }) => ({ from: cut.from, to: cut.to, count }));
};

const unitBuckets = async (db: Db, { grain, ...stretch }: Units<SumsGrain>): Promise<Bucket[]> => {
  const { rows } = await sql<{ from: number; count: number }>`
    SELECT ${sql.ref(grain.time)} AS "from", sum(count)::int8 AS count
    FROM ${sql.table(grain.table)} WHERE ${within(grain.time, stretch)} AND ${grain.rows}
    GROUP BY 1 ORDER BY 1 DESC`.execute(db);
  return rows.map(({ from, count }) => ({ from, to: from + grain.unit - 1, count }));
};

/** How many rows lie in each hour, each minute of a cut hour and each cut minute; newest first. */
const listBuckets = async (db: Db, filter: LogFilter): Promise<Bucket[]> => {
  const buckets = await Promise.all(
    partsOf(filter).map((part) =>
      part.grain === null ? cutBucket(db, filter, part) : unitBuckets(db, part),
    ),
  );
  return buckets.flat().filter(({ count }) => count > 0);
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
 * One page, newest first. The sums show in which hours its rows are, so that page 10,000 costs what
 * page 1 costs: only those hours are read, the first of them from its nearer end.
 */
export const listEntries = async (
  db: Db,
  filter: LogFilter,
  { page, pageSize }: Readonly<{ page: number; pageSize: number }>,
): Promise<{ rows: UsageLogRow[]; total: number }> => {
  const buckets = await listBuckets(db, filter);
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

/** An entry's place in the order of the log. */
type Place = Pick<UsageLogRow, 'created_at' | 'id'>;

/** The next entries behind `after`, newest first; `after` null: from the newest on. */
export const entriesBehind = async (
  db: Db,
  filter: LogFilter,
  { after, limit }: Readonly<{ after: Place | null; limit: number }>,
): Promise<UsageLogRow[]> => {
  const { from, to } = rangeOf(filter);
  // The bound by time alone is what leaves newer partitions out.
  const stretch = { from, to: Math.min(to, after?.created_at ?? to) };
  const behind =
    after === null ? sql`TRUE` : sql`(created_at, id) < (${after.created_at}, ${after.id})`;
  const { rows } = await sql<UsageLogRow>`
    SELECT * FROM usage_log.entries
    WHERE ${within('created_at', stretch)} AND ${behind} AND ${matches(filter)}
    ORDER BY created_at DESC, id DESC LIMIT ${limit}`.execute(db);
  return rows;
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
