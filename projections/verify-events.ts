import { hash, randomUUID } from 'node:crypto';
import { CompiledQuery, type Kysely } from 'kysely';
import type {
  EventTable,
  FoldInput,
  PersonDigest,
  RowDigest,
  RowFold,
  RowSource,
  StoredEventRow,
  TakeRow,
} from '../infra/ports/read-models.ts';
import type { Projector } from './runtime/projector.ts';
import { type Cell, type ColumnType, quoted, type Row, type Table } from './runtime/table.ts';

type Db = Kysely<unknown>;

/** Cells that go when a person leaves: held against the log for people who are there. */
type LooseCells = Readonly<{
  label: 'user' | 'owner' | 'actor';
  /** Column with the id of the person. */
  person: string;
  columns: readonly string[];
  applies: (row: Row) => boolean;
  /** The same for a row in the table. */
  where: string;
}>;

/** A table whose rows each come of one event, and are never merged with others. */
export type EventTableSpec = Readonly<{
  schema: string;
  table: Table;
  /** Column with the place in the log. */
  position: string;
  loose?: readonly LooseCells[];
  /** Rows that are compared; absent: all. */
  keeps?: (row: Row, given: FoldInput) => boolean;
  where?: (given: FoldInput) => string;
}>;

const nameOf = ({ schema, table }: EventTableSpec): string => `${schema}.${table.name}`;

/** Between cells, and in place of null; texts in the tables hold neither. */
const separator = '\u0001';
const nothing = '\u0002';

const cellText = (value: Cell | undefined): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return `${value}`;
  if (value === null || value === undefined) return nothing;
  if (typeof value === 'boolean') return value ? 't' : 'f';
  return String(value);
};

const cellSql = (name: string, type: ColumnType): string => {
  if (type === 'bool') return `CASE WHEN ${quoted(name)} THEN 't' ELSE 'f' END`;
  return type.endsWith('?') ? `coalesce(${quoted(name)}::text, E'\\x02')` : quoted(name);
};

const joinedSql = (cells: readonly string[]): string => `concat_ws(E'\\x01', ${cells.join(', ')})`;

/** All cells of a row in one text; those that may go are left empty. */
const rowSql = ({ table, loose = [] }: EventTableSpec): string =>
  joinedSql(
    Object.entries(table.columns).map(([name, type]) => {
      const cell = cellSql(name, type);
      const gone = loose.filter(({ columns }) => columns.includes(name));
      if (gone.length === 0) return cell;
      const when = gone.map(({ where }) => `(${where})`).join(' OR ');
      return `CASE WHEN ${when} THEN '' ELSE ${cell} END`;
    }),
  );

const looseSql = ({ table }: EventTableSpec, { columns }: LooseCells): string =>
  joinedSql(columns.map((name) => cellSql(name, table.columns[name] ?? 'text')));

const sumSql = (text: string): string =>
  `(sum(('x' || left(md5($1 || ${text}), 12))::bit(48)::int8) % 281474976710656)::int8`;

const select = async <R>(db: Db, text: string, parameters: readonly unknown[]): Promise<R[]> =>
  (await db.executeQuery<R>(CompiledQuery.raw(text, [...parameters]))).rows;

const noPersons: readonly never[] = [];

/** The row as its table has it, in the same text. */
export const toTake = (spec: EventTableSpec, given: FoldInput, take: TakeRow) => {
  const name = nameOf(spec);
  const columns = Object.keys(spec.table.columns);
  const [first = '', ...rest] = columns;
  const { loose = [], keeps } = spec;
  const whole = (row: Row): string => {
    let cells = cellText(row[first]);
    for (const column of rest) cells += separator + cellText(row[column]);
    return cells;
  };
  return (row: Row): void => {
    if (keeps !== undefined && !keeps(row, given)) return;
    const position = Number(row[spec.position]);
    if (!loose.some(({ applies }) => applies(row))) {
      take(name, { position, cells: whole(row), persons: noPersons });
      return;
    }
    const applying = loose.filter(({ applies }) => applies(row));
    const isLoose = (column: string) => applying.some((part) => part.columns.includes(column));
    const cells = columns.map((column) => (isLoose(column) ? '' : cellText(row[column])));
    const persons = applying.map(({ label, person, columns: own }) => ({
      key: `${label}/${row[person]}`,
      cells: own.map((column) => cellText(row[column])).join(separator),
    }));
    take(name, { position, cells: cells.join(separator), persons });
  };
};

const rangesSql = (position: string, ranges: readonly (readonly [number, number])[]): string =>
  ranges
    .map(([from, to]) => `(${quoted(position)} >= ${from} AND ${quoted(position)} < ${to})`)
    .join(' OR ');

/** The key is made for each run: no two rows can be prepared that have the same digest. */
const createDigest =
  (key: string) =>
  (cells: string): number =>
    Number.parseInt(hash('md5', key + cells, 'hex').slice(0, 12), 16);

const eventTable = (db: Db, spec: EventTableSpec): EventTable => {
  const key = randomUUID();
  const name = nameOf(spec);
  const { position, loose = [] } = spec;
  const from = (given: FoldInput): string =>
    `FROM ${name} ${spec.where === undefined ? '' : `WHERE ${spec.where(given)}`}`;
  return {
    name,
    columns: Object.keys(spec.table.columns),
    digestOf: createDigest(key),
    cellsOf: (cells) => cells.split(separator),
    digests: (given, starts) =>
      select<RowDigest>(
        db,
        `SELECT width_bucket(${quoted(position)}, $2::int8[])::int8 AS bucket, count(*) AS count, ` +
          `${sumSql(rowSql(spec))} AS sum ${from(given)} GROUP BY 1`,
        [key, `{${starts.join(',')}}`],
      ),
    async personDigests(given) {
      const digests: PersonDigest[] = [];
      for (const part of loose) {
        const text = `SELECT '${part.label}/' || ${quoted(part.person)} AS key, count(*) AS count, ${sumSql(looseSql(spec, part))} AS sum `;
        const rows = `FROM (SELECT * ${from(given)}) AS r WHERE ${part.where} GROUP BY 1`;
        digests.push(...(await select<PersonDigest>(db, text + rows, [key])));
      }
      return digests;
    },
    rows: (given, ranges) =>
      select<StoredEventRow>(
        db,
        `SELECT ${quoted(position)} AS position, ${rowSql(spec)} AS cells ` +
          `FROM (SELECT * ${from(given)}) AS r WHERE ${rangesSql(position, ranges)}`,
        [],
      ),
  };
};

export type RowSourceSpec = Readonly<{
  projector: Projector;
  /** Absent: all that the projector handles. */
  types?: readonly string[];
  tables: readonly EventTableSpec[];
  /** Begins at the start of the log. */
  fold: (db: Db, given: FoldInput, take: TakeRow) => RowFold;
}>;

export const rowSource = (
  db: Db,
  { projector: { name, on }, types, tables, fold }: RowSourceSpec,
): RowSource => ({
  projection: name,
  types: new Set(types ?? Object.keys(on).filter((type) => typeof on[type] === 'function')),
  tables: tables.map((spec) => eventTable(db, spec)),
  fold: (given, take) => fold(db, given, take),
});
