import type { TableChanges } from '../../../projections/runtime/row-batch.ts';
import type { Written } from '../../../projections/runtime/row-store.ts';
import type { Row } from '../../../projections/runtime/table.ts';
import { keyOf, type SimDatabase, type SimTable, type Undo } from './sim-database.ts';

type Target = Readonly<{ database: SimDatabase; table: SimTable; undo: Undo }>;
type Pending = TableChanges['keyed'] extends ReadonlyMap<string | number, infer P> ? P : never;

const add = (row: Row, increments: Row, names: readonly string[]): Row => {
  const sums = names.map((name) => [name, Number(row[name] ?? 0) + Number(increments[name] ?? 0)]);
  return { ...row, ...Object.fromEntries(sums) };
};

/** The rows whose first column of the key has this value. */
const rowsAt = ({ table: { table, rows } }: Target, key: string | number): [string, Row][] => {
  if (table.key.length > 1) {
    const [column = ''] = table.key;
    return [...rows].filter(([, row]) => row[column] === key);
  }
  const row = rows.get(String(key));
  return row === undefined ? [] : [[String(key), row]];
};

const writeKeyed = (target: Target, key: string | number, pending: Pending): void => {
  const { database, table, undo } = target;
  if (pending.kind === 'put') {
    database.setRow(table, keyOf(table.table, pending.row), { ...pending.row }, undo);
    return;
  }
  for (const [rowKey, row] of rowsAt(target, key)) {
    const next =
      pending.kind === 'remove'
        ? null
        : add({ ...row, ...pending.set }, pending.add, Object.keys(pending.add));
    database.setRow(table, rowKey, next, undo);
  }
};

const writeTable = (target: Target, { keyed, accumulated, inserted }: TableChanges): void => {
  const { database, table, undo } = target;
  for (const [key, pending] of keyed) writeKeyed(target, key, pending);
  for (const row of accumulated) {
    const key = keyOf(table.table, row);
    const held = table.rows.get(key);
    const next = held === undefined ? { ...row } : add(held, row, table.table.counters ?? []);
    database.setRow(table, key, next, undo);
  }
  for (const row of inserted) {
    const key = keyOf(table.table, row);
    if (!table.rows.has(key)) database.setRow(table, key, { ...row }, undo);
  }
};

export const writeRows = (database: SimDatabase, written: readonly Written[], undo: Undo): void => {
  for (const { place, changes } of written) {
    for (const change of changes) {
      const table = database.table(place.schema, change.table.name);
      writeTable({ database, table, undo }, change);
    }
  }
};
