import { CompiledQuery } from 'kysely';
import { type Column, copyBinary } from './copy-binary.ts';
import type { Place } from './projector.ts';
import type { TableChanges, Update } from './row-batch.ts';
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

type Target = Place;

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
 * One text for each column: the cheapest way for many rows into one statement. Texts stand between
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

const run = async (target: Target, text: string, parameters: readonly unknown[]): Promise<void> => {
  await target.db.executeQuery(CompiledQuery.raw(text, [...parameters]));
};

/** Rows of one statement: bounds its memory on both sides. */
const chunkRows = 8_000;
const inChunks = async <T>(
  items: readonly T[],
  each: (chunk: readonly T[]) => Promise<void>,
): Promise<void> => {
  for (let start = 0; start < items.length; start += chunkRows) {
    await each(items.slice(start, start + chunkRows));
  }
};

const insertRows = (
  target: Target,
  { table, rows, onConflict }: { table: Table; rows: readonly Row[]; onConflict: string },
): Promise<void> =>
  inChunks(rows, (chunk) => {
    const columns = columnsOf(table, Object.keys(table.columns));
    return run(
      target,
      `INSERT INTO ${qualified(target.schema, table.name)} AS t (${names(columns)}) ` +
        `SELECT * FROM ${unnest(columns)} ${onConflict}`,
      columnTexts(columns, chunk),
    );
  });

/** Rows that cannot be there yet: by far the cheapest way in, with no word on conflicts. */
const copyRows = (target: Target, table: Table, rows: readonly Row[]): Promise<void> =>
  inChunks(rows, (chunk) => {
    const columns = columnsOf(table, Object.keys(table.columns));
    const into = qualified(target.schema, table.name);
    const question = `COPY ${into} (${names(columns)}) FROM STDIN (FORMAT binary)`;
    return run(target, question, [copyBinary(columns, chunk)]);
  });

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

const updateRows = async (
  target: Target,
  table: Table,
  updates: readonly KeyedUpdate[],
): Promise<void> => {
  const keyName = table.key[0] ?? '';
  for (const group of bySignature(updates)) {
    const set = Object.keys(group[0]?.set ?? {});
    const add = Object.keys(group[0]?.add ?? {});
    if (set.length + add.length === 0) continue;
    const columns = columnsOf(table, [keyName, ...set, ...add]);
    const aliases = columns.map((_, index) => `c${index}`);
    const assignments = [...set, ...add].map((name, index) => {
      const value = `x.c${index + 1}`;
      return `${quoted(name)} = ${index < set.length ? value : `t.${quoted(name)} + ${value}`}`;
    });
    const rows = group.map(({ key, set: cells, add: sums }) => ({
      ...cells,
      ...sums,
      [keyName]: key,
    }));
    await inChunks(rows, (chunk) =>
      run(
        target,
        `UPDATE ${qualified(target.schema, table.name)} AS t SET ${assignments.join(', ')} ` +
          `FROM ${unnest(columns)} AS x(${aliases.join(', ')}) WHERE t.${quoted(keyName)} = x.c0`,
        columnTexts(columns, chunk),
      ),
    );
  }
};

const removeRows = (
  target: Target,
  table: Table,
  keys: readonly (string | number)[],
): Promise<void> => {
  const columns = columnsOf(table, [table.key[0] ?? '']);
  return inChunks(keys, (chunk) =>
    run(
      target,
      `DELETE FROM ${qualified(target.schema, table.name)} ` +
        `WHERE ${names(columns)} = ANY(${columns.map(arrayOf).join('')})`,
      columnTexts(
        columns,
        chunk.map((key) => ({ [table.key[0] ?? '']: key })),
      ),
    ),
  );
};

/** By name; rows come in the order of time, so that the month of one is mostly that of the next. */
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

const ensurePartitions = async (target: Target, { table, inserted }: TableChanges) => {
  const by = table.partitionByMonth;
  if (by === undefined || inserted.length === 0) return;
  const months = monthsOf(inserted, by);
  const known = target.partitions ?? new Set();
  const nameOf = (month: string): string => `${target.schema}.${table.name}_${month}`;
  for (const month of [...months.keys()]) if (known.has(nameOf(month))) months.delete(month);
  if (months.size === 0) return;
  const wanted = [...months.keys()];
  const existing = await target.db.executeQuery<{ relname: string }>(
    CompiledQuery.raw(
      'SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid ' +
        'WHERE i.inhparent = $1::regclass',
      [qualified(target.schema, table.name)],
    ),
  );
  for (const { relname } of existing.rows) months.delete(relname.slice(table.name.length + 1));
  for (const month of months.values()) {
    await run(target, partitionStatement(target.schema, table, month), []);
  }
  for (const month of wanted) known.add(nameOf(month));
};

const flushKeyed = async (target: Target, { table, keyed }: TableChanges): Promise<void> => {
  const removed: (string | number)[] = [];
  const put: Row[] = [];
  const updated: KeyedUpdate[] = [];
  for (const [key, pending] of keyed) {
    if (pending.kind === 'remove') removed.push(key);
    else if (pending.kind === 'put') put.push(pending.row);
    else updated.push({ key, set: pending.set, add: pending.add });
  }
  if (removed.length > 0) await removeRows(target, table, removed);
  if (put.length > 0) await insertRows(target, { table, rows: put, onConflict: replaced(table) });
  if (updated.length > 0) await updateRows(target, table, updated);
};

const flushTable = async (target: Target, changes: TableChanges): Promise<void> => {
  const { table, accumulated, inserted } = changes;
  await flushKeyed(target, changes);
  if (accumulated.length > 0) {
    await insertRows(target, { table, rows: accumulated, onConflict: summed(table) });
  }
  if (inserted.length > 0) {
    await ensurePartitions(target, changes);
    if (target.fresh) await copyRows(target, table, inserted);
    else await insertRows(target, { table, rows: inserted, onConflict: 'ON CONFLICT DO NOTHING' });
  }
};

/** Writes what a batch gathered, a few statements for each table. */
export const flush = async (target: Target, changes: readonly TableChanges[]): Promise<void> => {
  for (const table of changes) await flushTable(target, table);
};
