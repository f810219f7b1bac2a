import { CompiledQuery } from 'kysely';
import type { Place } from '../runtime/row-store.ts';
import { qualified, quoted } from '../runtime/table.ts';
import { hourOf, minuteOf } from '../shared/time.ts';
import { facetRowsSql } from './facets.ts';
import { prunedCharge } from './table.ts';

/** Charges and errors go; other movements of quota stay. */
const goes = 'type IN (2, 5)';
const sums = ['count', 'quota', 'tokens'] as const;
const labels = ['user_id', 'token_id', 'model_name', 'channel_id', 'group'] as const;

/** `time`: the column of the start; `joined`: what gives the keys that are no columns of an entry. */
type Depth = Readonly<{
  table: string;
  time: 'hour' | 'minute';
  keys: readonly string[];
  joined?: string;
}>;
const depths: readonly Depth[] = [
  { table: 'site_hours', time: 'hour', keys: ['type'] },
  { table: 'user_hours', time: 'hour', keys: ['type', 'user_id'] },
  { table: 'group_minutes', time: 'minute', keys: ['type', 'group'] },
  {
    table: 'facet_hours',
    time: 'hour',
    keys: ['type', 'facet', 'value'],
    joined: `CROSS JOIN LATERAL (${facetRowsSql}) AS f(facet, value)`,
  },
  { table: 'hours', time: 'hour', keys: ['type', ...labels] },
];

const list = (names: readonly string[]): string => names.map(quoted).join(', ');

const run = async <R>(place: Place, text: string, parameters: readonly number[] = []) =>
  (await place.rows.db.executeQuery<R>(CompiledQuery.raw(text, [...parameters]))).rows;

/** Sums of the entries that go out of the hour or minute in which the cut lies. */
const goneOfCut = (
  { schema }: Place,
  { keys, joined = '' }: Pick<Depth, 'keys' | 'joined'>,
): string =>
  `SELECT ${list(keys)}, count(*) AS count, sum(quota)::int8 AS quota, ` +
  'sum(prompt_tokens + completion_tokens)::int8 AS tokens ' +
  `FROM ${qualified(schema, 'entries')} ${joined} ` +
  `WHERE created_at >= $1 AND created_at < $2 AND ${goes} GROUP BY ${list(keys)}`;

/** Charges are moved to where only the dashboard reads them. */
const keepForDashboard = async (place: Place, hour: number, before: number): Promise<void> => {
  const hours = qualified(place.schema, 'hours');
  const into =
    `INSERT INTO ${hours} AS t (hour, type, ${list(labels)}, ${list(sums)}) ` +
    'SELECT * FROM gone ON CONFLICT ' +
    `(hour, type, ${list(labels)}) DO UPDATE SET ` +
    sums.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ');
  const whole =
    `SELECT hour, ${prunedCharge}::int8, ${list(labels)}, ${list(sums)} ` +
    `FROM ${hours} WHERE type = 2 AND hour < $1`;
  await run(place, `WITH gone AS (${whole}) ${into}`, [hour]);
  const cut =
    `SELECT $1::int8, ${prunedCharge}::int8, ${list(labels)}, ${list(sums)} ` +
    `FROM (${goneOfCut(place, { keys: ['type', ...labels] })}) AS part WHERE type = 2`;
  await run(place, `WITH gone AS (${cut}) ${into}`, [hour, before]);
};

const lowerSums = async (place: Place, depth: Depth, before: number): Promise<void> => {
  const { table, time, keys } = depth;
  const cut = time === 'hour' ? hourOf(before) : minuteOf(before);
  const target = qualified(place.schema, table);
  const less = sums.map((name) => `${name} = t.${name} - gone.${name}`).join(', ');
  const same = keys.map((name) => `t.${quoted(name)} = gone.${quoted(name)}`).join(' AND ');
  await run(
    place,
    `WITH gone AS (${goneOfCut(place, depth)}) ` +
      `UPDATE ${target} AS t SET ${less} FROM gone WHERE t.${time} = $1 AND ${same}`,
    [cut, before],
  );
  await run(
    place,
    `DELETE FROM ${target} WHERE ${goes} AND (${time} < $1 OR (${time} = $1 AND count = 0))`,
    [cut],
  );
};

/** First second after the month that the name of a partition ends with. */
const endOfMonth = (partition: string): number => {
  const [, year = '0', month = '0'] = /_(\d{4})(\d{2})$/.exec(partition) ?? [];
  return Date.UTC(Number(year), Number(month), 1) / 1_000;
};

/** A month that holds nothing else is dropped as a whole, which costs the same for any number. */
const removeEntries = async (place: Place, before: number): Promise<void> => {
  const entries = qualified(place.schema, 'entries');
  const partitions = await run<{ relname: string }>(
    place,
    'SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid ' +
      `WHERE i.inhparent = '${entries}'::regclass ORDER BY 1`,
  );
  for (const { relname } of partitions) {
    const partition = qualified(place.schema, relname);
    if (endOfMonth(relname) > before) continue;
    const others = await run(place, `SELECT 1 FROM ${partition} WHERE NOT ${goes} LIMIT 1`);
    if (others.length === 0) await run(place, `DROP TABLE ${partition}`);
  }
  await run(place, `DELETE FROM ${entries} WHERE created_at < $1 AND ${goes}`, [before]);
};

/**
 * Takes charges and errors from before `before` (Unix seconds) out of the log and its sums.
 * Runs in the transaction of the batch that holds the event.
 */
export const pruneEntries = async (place: Place, before: number): Promise<void> => {
  await keepForDashboard(place, hourOf(before), before);
  for (const depth of depths) await lowerSums(place, depth, before);
  await removeEntries(place, before);
};
