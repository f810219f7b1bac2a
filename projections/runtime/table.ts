import { hash } from 'node:crypto';

/** PostgreSQL type of a column; `?` allows null. */
export type ColumnType = 'int8' | 'int8?' | 'float8' | 'bool' | 'text' | 'text?';
export type Cell = number | string | boolean | bigint | null;
export type Row = Readonly<Record<string, Cell>>;
type NumericColumns<R> = { [C in keyof R]: R[C] extends number ? C : never }[keyof R];

/** A column whose cells have a narrower type than those of its PostgreSQL type. */
type Narrowed<C extends ColumnType, T extends Cell> = C & { readonly cell: T };
export const textOf = <T extends string>() => 'text' as Narrowed<'text', T>;
export const nullableTextOf = <T extends string>() => 'text?' as Narrowed<'text?', T | null>;
export const int8Of = <T extends number>() => 'int8' as Narrowed<'int8', T>;

type CellOf<C> = C extends { readonly cell: infer T }
  ? T
  : C extends 'int8' | 'float8'
    ? number
    : C extends 'int8?'
      ? number | null
      : C extends 'bool'
        ? boolean
        : C extends 'text'
          ? string
          : string | null;
type Columns = Readonly<Record<string, ColumnType>>;

/** One table of a read model. The runtime creates it, writes it in bulk and swaps it as a whole. */
export type Table<N extends string = string, C extends Columns = Columns> = Readonly<{
  name: N;
  columns: C;
  key: readonly (keyof C & string)[];
  /** Columns that the index of the key carries along, for questions that it can answer alone. */
  include?: readonly (keyof C & string)[];
  /** Columns that `accumulate` adds up; all others belong to the key. */
  counters?: readonly (keyof C & string)[];
  /** Unix seconds; one partition for each month (UTC). */
  partitionByMonth?: keyof C & string;
  /**
   * Column with the position of the one event behind each row, for tables whose rows are only inserted. It needs an
   * index: verify compares such rows in the order of the log and stores none of them.
   */
  eventPosition?: keyof C & string;
  /** Rows from events that the log keeps for a limited time, and the column with their time (Unix seconds). */
  expiring?: Readonly<{ where: string; time: keyof C & string }>;
  /** What follows `CREATE INDEX ON <table>`. */
  indexes?: readonly string[];
  /** The same for what `prepare` reads by: there from the first row on. */
  writeIndexes?: readonly string[];
}>;
export type Tables = Readonly<Record<string, Table>>;

/** Gathers the changes of one batch to one table; changes of one key are merged in memory. */
export interface RowWriter<R> {
  /** Append-only; a row that is already there stays as it is. */
  insert(row: R): void;
  /** The whole row, new or replaced. */
  put(row: R): void;
  /** Some columns of a row that is there. */
  patch(key: string | number, changes: Partial<R>): void;
  /** Adds to numeric columns of a row that is there. */
  add(key: string | number, increments: Partial<Pick<R, NumericColumns<R>>>): void;
  /** Adds the counters of the row to those under its key, new or not. */
  accumulate(row: R): void;
  remove(key: string | number): void;
}
export type Writers<T extends Tables> = {
  readonly [Name in keyof T]: RowWriter<RowOf<T[Name]>>;
};

/** The row type and the schema of a read model are inferred from the definition of its tables. */
export const defineTable = <const N extends string, const C extends Columns>(
  table: Table<N, C>,
): Table<N, C> => table;
export type RowOf<T extends Table> = {
  readonly [Name in keyof T['columns']]: CellOf<T['columns'][Name]>;
};
/** Row types by the names that queries use: `user_list.users`. */
export type SchemaOf<S extends string, T extends Tables> = {
  [Name in keyof T as `${S}.${T[Name]['name']}`]: RowOf<T[Name]>;
};

const columnSql = (type: ColumnType): string =>
  type.endsWith('?') ? type.slice(0, -1) : `${type} NOT NULL`;
export const sqlType = (type: ColumnType): string => type.replace('?', '');
export const quoted = (name: string): string => `"${name}"`;
/** A schema that several projectors share has a prefix for the names of their tables: `pg_temp/ledger.`. */
export const qualified = (schema: string, table: string): string => {
  const [name = '', prefix = ''] = schema.split('/');
  return `${quoted(name)}.${quoted(prefix + table)}`;
};

const list = (names: readonly string[]): string => names.map(quoted).join(', ');
const indexOn = (schema: string, table: Table, index: string): string =>
  `CREATE INDEX ON ${qualified(schema, table.name)} ${index}`;

/** The statements that create one table in a schema, without what `indexStatements` adds. */
export const createStatements = (schema: string, table: Table): readonly string[] => {
  const columns = Object.entries(table.columns).map(
    ([name, type]) => `${quoted(name)} ${columnSql(type)}`,
  );
  const by = table.partitionByMonth;
  const carried = table.include === undefined ? '' : ` INCLUDE (${list(table.include)})`;
  columns.push(`PRIMARY KEY (${list(table.key)})${carried}`);
  return [
    `CREATE TABLE ${qualified(schema, table.name)} (${columns.join(', ')})` +
      (by === undefined ? ' WITH (fillfactor = 85)' : ` PARTITION BY RANGE (${quoted(by)})`),
    ...(table.writeIndexes ?? []).map((index) => indexOn(schema, table, index)),
  ];
};

/** Indexes besides the key; made at once over many rows they cost a fraction. */
export const indexStatements = (schema: string, table: Table): readonly string[] =>
  (table.indexes ?? []).map((index) => indexOn(schema, table, index));

/**
 * The columns of keys and indexes: the planner has to have these at once. Analysed separately, the
 * table still counts as due for PostgreSQL's own analysis of all columns, some moments later.
 */
export const indexedColumns = ({ columns, key, include, indexes, writeIndexes }: Table): string => {
  const named = [...key, ...(include ?? []), ...(indexes ?? []), ...(writeIndexes ?? [])].join(' ');
  return list(Object.keys(columns).filter((name) => new RegExp(`\\b${name}\\b`).test(named)));
};

/** Changes when a table changes, which makes the runtime rebuild it. */
export const versionOf = (version: number, tables: Tables): string =>
  `${version}.${hash('sha256', JSON.stringify(tables), 'hex').slice(0, 12)}`;

/** A month that people read while it grows: its pages are marked as settled early. */
export const partitionStatement = (
  schema: string,
  table: Table,
  { name, from, to }: Month,
): string =>
  `CREATE TABLE ${qualified(schema, `${table.name}_${name}`)} PARTITION OF ` +
  `${qualified(schema, table.name)} FOR VALUES FROM (${from}) TO (${to}) ` +
  'WITH (autovacuum_vacuum_insert_scale_factor = 0.02)';

/** First second of a month, and of the next one, and the name of its partition. */
export type Month = Readonly<{ from: number; to: number; name: string }>;

export const monthOf = (seconds: number): Month => {
  const date = new Date(seconds * 1000);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  return {
    from: Date.UTC(year, month, 1) / 1000,
    to: Date.UTC(year, month + 1, 1) / 1000,
    name: `${year}${String(month + 1).padStart(2, '0')}`,
  };
};
