import { CompiledQuery, type Kysely } from 'kysely';
import { type Column, copyBinary } from './copy-binary.ts';
import type { TableChanges, Update } from './row-batch.ts';
import type { Written } from './row-store.ts';
import {
  type Month,
  monthOf,
  partitionStatement,
  qualified,
  quoted,
  type Row,
  sqlType,
  type Table,
} from './table.ts';

type Db = Kysely<unknown>;
type Target = Written['place'];

/** Between values, and instead of null, in a column of text. */
const separator = '\u0001';
const nothing = '\u0002';
// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL knows no NUL, the others are ours
const reserved = /[\u0000-\u0002]/;
const stored = (value: string): string => {
  let text = value;
  while (reserved.test(text)) text = text.replace(reserved, '');
  return text;
};

/**
 * One text for each column: the cheapest way for many rows into one statement. Texts are between
 * separators, which needs no escaping; the first piece is empty and left out by the statement.
 */
const columnTexts = (columns: readonly Column[], rows: readonly Row[]): string[] =>
  columns.map(({ name, type }) => {
    if (type === 'text') {
      const values = rows.map((row) => {
        const value = row[name];
        return typeof value === 'string' ? stored(value) : nothing;
      });
      return separator + values.join(separator);
    }
    return `{${rows.map((row) => row[name] ?? 'NULL').join(',')}}`;
  });
/** The array behind a parameter that `columnTexts` made. */
const arrayOf = ({ type }: Column, index: number): string =>
  type === 'text'
    ? `(string_to_array($${index + 1}, E'\\x01', E'\\x02'))[2:]`
    : `$${index + 1}::${type}[]`;

const columnsOf = (table: Table, names: readonly string[]): Column[] =>
  names.map((name) => ({ name, type: sqlType(table.columns[name] ?? 'text') }));
const names = (columns: readonly Column[]): string =>
  columns.map(({ name }) => quoted(name)).join(', ');
const unnest = (columns: readonly Column[]): string => `unnest(${columns.map(arrayOf).join(', ')})`;

/** `values`: texts as the server reads them. */
export type Statement = Readonly<{ text: string; values: readonly (string | null)[] }>;

const run = async (db: Db, text: string, parameters: readonly unknown[]): Promise<void> => {
  await db.executeQuery(CompiledQuery.raw(text, [...parameters]));
};

/**
 * One message to the server and one back for all of them, and outside of a transaction one of their
 * own (`infra/postgres/statement-batch.ts`).
 */
export const runTogether = async (db: Db, statements: readonly Statement[]): Promise<void> => {
  const [first, second] = statements;
  if (first === undefined) return;
  if (second === undefined) await run(db, first.text, first.values);
  else await run(db, 'BATCH', [statements]);
};

/** Rows of one statement: bounds its memory on both sides. */
const chunkRows = 8_000;
const inChunks = <T, R>(items: readonly T[], each: (chunk: readonly T[]) => R): R[] => {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += chunkRows) {
    results.push(each(items.slice(start, start + chunkRows)));
  }
  return results;
};

const insertRows = (
  schema: string,
  { table, rows, onConflict }: { table: Table; rows: readonly Row[]; onConflict: string },
): Statement[] => {
  if (rows.length === 0) return [];
  const columns = columnsOf(table, Object.keys(table.columns));
  const text =
    `INSERT INTO ${qualified(schema, table.name)} AS t (${names(columns)}) ` +
    `SELECT * FROM ${unnest(columns)} ${onConflict}`;
  return inChunks(rows, (chunk) => ({ text, values: columnTexts(columns, chunk) }));
};

/** Rows that cannot be there yet: by far the cheapest way in, with no word on conflicts. */
const copyRows = async (
  db: Db,
  schema: string,
  { table, inserted }: TableChanges,
): Promise<void> => {
  const columns = columnsOf(table, Object.keys(table.columns));
  const into = qualified(schema, table.name);
  const question = `COPY ${into} (${names(columns)}) FROM STDIN (FORMAT binary)`;
  for (const chunk of inChunks(inserted, (part) => part)) {
    await run(db, question, [copyBinary(columns, chunk)]);
  }
};

const onKey = (table: Table, assignments: readonly string[]): string =>
  `ON CONFLICT (${table.key.map(quoted).join(', ')}) DO UPDATE SET ${assignments.join(', ')}`;
const replaced = (table: Table): string =>
  onKey(
    table,
    Object.keys(table.columns).map((name) => `${quoted(name)} = excluded.${quoted(name)}`),
  );
const summed = (table: Table): string =>
  onKey(
    table,
    (table.counters ?? []).map(
      (name) => `${quoted(name)} = t.${quoted(name)} + excluded.${quoted(name)}`,
    ),
  );

type KeyedUpdate = Update & Readonly<{ key: string | number }>;
/** Updates that touch the same columns go into one statement. */
const bySignature = (updates: readonly KeyedUpdate[]): KeyedUpdate[][] => {
  const groups = new Map<string, KeyedUpdate[]>();
  for (const update of updates) {
    const signature = `${Object.keys(update.set).sort()}|${Object.keys(update.add).sort()}`;
    const group = groups.get(signature);
    if (group === undefined) groups.set(signature, [update]);
    else group.push(update);
  }
  return [...groups.values()];
};

const updateGroup = (schema: string, table: Table, group: readonly KeyedUpdate[]): Statement[] => {
  const keyName = table.key[0] ?? '';
  const set = Object.keys(group[0]?.set ?? {});
  const add = Object.keys(group[0]?.add ?? {});
  if (set.length + add.length === 0) return [];
  const columns = columnsOf(table, [keyName, ...set, ...add]);
  const aliases = columns.map((_, index) => `c${index}`);
  const assignments = [...set, ...add].map((name, index) => {
    const value = `x.c${index + 1}`;
    return `${quoted(name)} = ${index < set.length ? value : `t.${quoted(name)} + ${value}`}`;
  });
  const text =
    `UPDATE ${qualified(schema, table.name)} AS t SET ${assignments.join(', ')} ` +
    `FROM ${unnest(columns)} AS x(${aliases.join(', ')}) WHERE t.${quoted(keyName)} = x.c0`;
  const rows = group.map(({ key, set: cells, add: sums }) => ({
    ...cells,
    ...sums,
    [keyName]: key,
  }));
  return inChunks(rows, (chunk) => ({ text, values: columnTexts(columns, chunk) }));
};

const removeRows = (
  schema: string,
  table: Table,
  keys: readonly (string | number)[],
): Statement[] => {
  const keyName = table.key[0] ?? '';
  const columns = columnsOf(table, [keyName]);
  const text =
    `DELETE FROM ${qualified(schema, table.name)} ` +
    `WHERE ${names(columns)} = ANY(${columns.map(arrayOf).join('')})`;
  return inChunks(keys, (chunk) => ({
    text,
    values: columnTexts(
      columns,
      chunk.map((key) => ({ [keyName]: key })),
    ),
  }));
};

/** By name; rows are in the order of time, so that the month of one is mostly that of the next. */
const monthsOf = (rows: readonly Row[], by: string): Map<string, Month> => {
  const months = new Map<string, Month>();
  let month: Month = { name: '', from: 0, to: 0 };
  for (const row of rows) {
    const seconds = Number(row[by]);
    if (seconds >= month.from && seconds < month.to) continue;
    month = monthOf(seconds);
    months.set(month.name, month);
  }
  return months;
};

const ensurePartitions = async (db: Db, target: Target, { table, inserted }: TableChanges) => {
  const by = table.partitionByMonth;
  if (by === undefined || inserted.length === 0) return;
  const months = monthsOf(inserted, by);
  const known = target.partitions ?? new Set();
  const nameOf = (month: string): string => `${target.schema}.${table.name}_${month}`;
  for (const month of [...months.keys()]) if (known.has(nameOf(month))) months.delete(month);
  if (months.size === 0) return;
  const wanted = [...months.keys()];
  const existing = await db.executeQuery<{ relname: string }>(
    CompiledQuery.raw(
      'SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid ' +
        'WHERE i.inhparent = $1::regclass',
      [qualified(target.schema, table.name)],
    ),
  );
  for (const { relname } of existing.rows) months.delete(relname.slice(table.name.length + 1));
  for (const month of months.values()) {
    await run(db, partitionStatement(target.schema, table, month), []);
  }
  for (const month of wanted) known.add(nameOf(month));
};

const keyedStatements = (schema: string, { table, keyed }: TableChanges): Statement[] => {
  const removed: (string | number)[] = [];
  const put: Row[] = [];
  const updated: KeyedUpdate[] = [];
  for (const [key, pending] of keyed) {
    if (pending.kind === 'remove') removed.push(key);
    else if (pending.kind === 'put') put.push(pending.row);
    else updated.push({ key, set: pending.set, add: pending.add });
  }
  return [
    ...removeRows(schema, table, removed),
    ...insertRows(schema, { table, rows: put, onConflict: replaced(table) }),
    ...bySignature(updated).flatMap((group) => updateGroup(schema, table, group)),
  ];
};

const statementsOf = (target: Target, changes: TableChanges): Statement[] => {
  const { table, accumulated, inserted } = changes;
  const { schema, fresh } = target;
  const summedUp = { table, rows: accumulated, onConflict: summed(table) };
  const added = { table, rows: fresh ? [] : inserted, onConflict: 'ON CONFLICT DO NOTHING' };
  return [
    ...keyedStatements(schema, changes),
    ...insertRows(schema, summedUp),
    ...insertRows(schema, added),
  ];
};

const hasPartitions = (
  { schema, partitions }: Target,
  { table, inserted }: TableChanges,
): boolean => {
  const by = table.partitionByMonth;
  if (by === undefined || inserted.length === 0) return true;
  const isKnown = (month: string) => partitions?.has(`${schema}.${table.name}_${month}`) === true;
  return [...monthsOf(inserted, by).keys()].every(isKnown);
};

/** What batches gathered, where statements alone can write it; null where it takes more. */
export const asStatements = (written: readonly Written[]): readonly Statement[] | null => {
  const statements: Statement[] = [];
  for (const { place, changes } of written) {
    for (const table of changes) {
      if (place.fresh === true || !hasPartitions(place, table)) return null;
      statements.push(...statementsOf(place, table));
    }
  }
  return statements;
};

/** Writes what batches gathered, a few statements for each table; all batches are of one transaction. */
export const flush = async (db: Db, written: readonly Written[]): Promise<void> => {
  const statements: Statement[] = [];
  for (const { place, changes } of written) {
    for (const table of changes) {
      await ensurePartitions(db, place, table);
      statements.push(...statementsOf(place, table));
    }
  }
  await runTogether(db, statements);
  for (const { place, changes } of written) {
    if (!place.fresh) continue;
    for (const table of changes) await copyRows(db, place.schema, table);
  }
};
