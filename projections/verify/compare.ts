import { CompiledQuery, type Kysely } from 'kysely';
import type { RowBreak } from '../../infra/ports/read-models.ts';
import { type ColumnType, qualified, quoted, type Table } from '../runtime/table.ts';
import { sealedText } from './keyless.ts';

type Db = Kysely<unknown>;

/** A table of a read model, and the same as the projector builds it from the log. */
export type TablePair = Readonly<{
  /** Schemas. */
  live: string;
  shadow: string;
  table: Table;
  /** Unix seconds: the log still holds every event from then on. */
  keptSince: number;
}>;
/** Places in the log: after `after` (null: from the start), up to and including `upTo` (null: to the end). */
export type Places = Readonly<{ after: bigint | null; upTo: bigint | null }>;

/** Rows of each table that are listed. */
const maxListed = 1_000;
const shownCharacters = 120;

const select = async <R>(db: Db, text: string, parameters: readonly unknown[] = []): Promise<R[]> =>
  (await db.executeQuery<R>(CompiledQuery.raw(text, [...parameters]))).rows;

const due = (name: string): string => `due.${quoted(name)}`;
const found = (name: string): string => `found.${quoted(name)}`;

/** A text with sealed parts as a pattern for LIKE: whatever is in their place matches. */
const patternOf = (cell: string): string =>
  [
    ['\\', '\\\\'],
    ['%', '\\%'],
    ['_', '\\_'],
    [JSON.stringify(sealedText), '%'],
    [sealedText, '%'],
  ].reduce((text, [from, to]) => `replace(${text}, '${from}', '${to}')`, cell);

const differs = ([name, type]: readonly [string, ColumnType]): string => {
  const isOther = `${due(name)} IS DISTINCT FROM ${found(name)}`;
  if (!type.startsWith('text')) return isOther;
  const isSealed = `strpos(${due(name)}, '${sealedText}') > 0`;
  return `(${isOther} AND NOT coalesce(${isSealed} AND ${found(name)} LIKE ${patternOf(due(name))}, false))`;
};
const rowDiffers = ({ columns }: Table): string =>
  Object.entries(columns).map(differs).join(' OR ');

/** Rows whose events the log may have dropped are compared on neither side. */
const isKept = ({ table: { expiring }, keptSince }: TablePair): string =>
  expiring === undefined
    ? 'true'
    : `NOT (${expiring.where} AND ${quoted(expiring.time)} < ${keptSince})`;

const rowsOf = (schema: string, pair: TablePair, where = 'true'): string =>
  `(SELECT * FROM ${qualified(schema, pair.table.name)} WHERE ${isKept(pair)} AND ${where})`;

/** Event rows are one for each place; all others have their key. */
const identityOf = ({ eventPosition, key }: Table): readonly string[] =>
  eventPosition === undefined ? key : [eventPosition];

const joined = (kind: 'FULL' | 'LEFT', pair: TablePair, where?: string): string => {
  const same = identityOf(pair.table).map((name) => `${due(name)} = ${found(name)}`);
  return (
    `FROM ${rowsOf(pair.shadow, pair, where)} AS due ${kind} JOIN ` +
    `${rowsOf(pair.live, pair, kind === 'FULL' ? where : undefined)} AS found ON ${same.join(' AND ')}`
  );
};
const isThere = (cell: (name: string) => string, table: Table): string =>
  `${cell(identityOf(table)[0] ?? '')} IS NOT NULL`;

const nameOf = ({ live, table }: TablePair): string => `${live}.${table.name}`;

const within = (column: string, { after, upTo }: Places): string =>
  [
    after === null ? 'true' : `${quoted(column)} > ${after}`,
    upTo === null ? 'true' : `${quoted(column)} <= ${upTo}`,
  ].join(' AND ');

export type EventRows = Readonly<{
  /** Place in the list of tables. */
  part: number;
  /** Rows of the read model. */
  rows: number;
  /** Rows of the shadow that the read model does not have as they are. */
  unmatched: number;
  /** Places of rows that no event is behind; the first of them. */
  unexpected: readonly string[];
}>;

type EventPart = Readonly<{ pair: TablePair; places: Places }>;

const eventRowsSql = ({ pair, places }: EventPart, part: number): string => {
  const { table } = pair;
  const column = table.eventPosition ?? '';
  const isDue = isThere(due, table);
  return (
    `SELECT ${part} AS part, count(${found(column)}) AS rows, ` +
    `count(*) FILTER (WHERE ${isDue} AND (${rowDiffers(table)})) AS unmatched, ` +
    `coalesce((array_agg(${found(column)}::text) FILTER (WHERE NOT ${isDue}))[1:${maxListed}], '{}') ` +
    `AS unexpected ${joined('FULL', pair, within(column, places))}`
  );
};

/** Compares event rows of a part of the log; one result for each table. */
export const compareEventRows = async (
  db: Db,
  tables: readonly EventPart[],
): Promise<readonly EventRows[]> =>
  tables.length === 0 ? [] : select<EventRows>(db, tables.map(eventRowsSql).join(' UNION ALL '));

/** Removes the rows of these places from the shadow that the read model has as they are. */
export const dropMatchedRows = async (db: Db, pair: TablePair, places: Places): Promise<void> => {
  const { table } = pair;
  const column = table.eventPosition ?? '';
  const shadow = qualified(pair.shadow, table.name);
  const where = within(column, places);
  await select(
    db,
    `DELETE FROM ${shadow} WHERE ${where} AND ${quoted(column)} <> ALL (ARRAY(SELECT ${due(column)} ` +
      `${joined('LEFT', pair, where)} WHERE ${rowDiffers(table)}))`,
  );
  await select(db, `VACUUM ${shadow}`);
};

export const dropAllRows = async (db: Db, pairs: readonly TablePair[]): Promise<void> => {
  if (pairs.length === 0) return;
  const tables = pairs.map(({ shadow, table }) => qualified(shadow, table.name));
  await select(db, `TRUNCATE ${tables.join(', ')}`);
};

type Difference = Readonly<{
  table: string;
  key: string;
  is_due: boolean;
  is_found: boolean;
  differing: readonly boolean[];
  due: readonly (string | null)[];
  found: readonly (string | null)[];
  position: string | null;
  event_id: string | null;
}>;

const shown = (text: string | null | undefined): string => {
  const cell = text ?? 'null';
  return cell.length > shownCharacters ? `${cell.slice(0, shownCharacters)}…` : cell;
};

const breakOf = (pair: TablePair, row: Difference): RowBreak => {
  const names = Object.keys(pair.table.columns);
  const cells = names.flatMap((name, index) =>
    row.differing[index] === true
      ? [`${name} is ${shown(row.found[index])}, expected ${shown(row.due[index])}`]
      : [],
  );
  const place = { position: row.position, eventId: row.event_id };
  const base = { row: `${nameOf(pair)}/${row.key}`, ...place };
  if (!row.is_due) return unexpectedRow(pair, row.key, place);
  if (!row.is_found)
    return { ...base, kind: 'row-missing', detail: 'the read model does not have this row' };
  return { ...base, kind: 'row-differs', detail: cells.join('; ') };
};

export const unexpectedRow = (
  pair: TablePair,
  key: string,
  place: Readonly<{ position: string | null; eventId: string | null }> = {
    position: key,
    eventId: null,
  },
): RowBreak => ({
  kind: 'row-unexpected',
  row: `${nameOf(pair)}/${key}`,
  detail: 'no event of the log explains this row',
  ...place,
});

const list = (cells: readonly string[]): string => `ARRAY[${cells.join(', ')}]`;
const textOf =
  (cell: (name: string) => string) =>
  (name: string): string =>
    `left(${cell(name)}::text, ${shownCharacters + 1})`;
const either = (table: Table, column: string | undefined): string =>
  column === undefined || table.columns[column] === undefined
    ? 'null'
    : `coalesce(${due(column)}, ${found(column)})::text`;

const differencesSql = (pair: TablePair): string => {
  const { table } = pair;
  const names = Object.keys(table.columns);
  const key = identityOf(table).map((name) => `coalesce(${due(name)}, ${found(name)})`);
  return (
    `(SELECT '${table.name}' AS table, concat_ws('/', ${key.join(', ')}) AS key, ` +
    `${isThere(due, table)} AS is_due, ${isThere(found, table)} AS is_found, ` +
    `${list(Object.entries(table.columns).map(differs))} AS differing, ` +
    `${list(names.map(textOf(due)))} AS due, ${list(names.map(textOf(found)))} AS found, ` +
    `${either(table, table.eventPosition ?? 'position')} AS position, ` +
    `${either(table, 'event_id')} AS event_id ` +
    `${joined(table.eventPosition === undefined ? 'FULL' : 'LEFT', pair)} ` +
    `WHERE ${rowDiffers(table)} LIMIT ${maxListed + 1})`
  );
};

export type Differences = Readonly<{
  breaks: readonly RowBreak[];
  /** Tables with more of them than are listed. */
  cut: readonly string[];
}>;

/** The rows of all these tables that differ; of event rows, what the shadow still holds is compared. */
export const differencesOf = async (db: Db, pairs: readonly TablePair[]): Promise<Differences> => {
  const rows = await select<Difference>(db, pairs.map(differencesSql).join(' UNION ALL '));
  const all = pairs.map((pair) => ({
    pair,
    rows: rows.filter(({ table }) => table === pair.table.name),
  }));
  return {
    breaks: all.flatMap(({ pair, rows: own }) =>
      own.slice(0, maxListed).map((row) => breakOf(pair, row)),
    ),
    cut: all.flatMap(({ pair, rows: own }) => (own.length > maxListed ? [nameOf(pair)] : [])),
  };
};

export const countRows = async (db: Db, pairs: readonly TablePair[]): Promise<number> => {
  const counts = pairs.map(
    ({ live, table }) => `(SELECT count(*) FROM ${qualified(live, table.name)})`,
  );
  const text = `SELECT ${['0::int8', ...counts].join(' + ')} AS count`;
  return (await select<{ count: number }>(db, text))[0]?.count ?? 0;
};
