import type { Cell, Row, RowWriter, Table, Tables, Writers } from './table.ts';

type Cells = Record<string, Cell>;
export type Update = Readonly<{ set: Cells; add: Record<string, number> }>;
type Pending = { kind: 'put'; row: Cells } | ({ kind: 'update' } & Update) | { kind: 'remove' };

/** What one batch does to one table, each key once. */
export type TableChanges = Readonly<{
  table: Table;
  keyed: ReadonlyMap<string | number, Pending>;
  accumulated: readonly Row[];
  inserted: readonly Row[];
}>;

const addCells = (target: Cells, increments: Readonly<Record<string, Cell>>): void => {
  for (const name of Object.keys(increments)) {
    target[name] = Number(target[name] ?? 0) + Number(increments[name]);
  }
};

const mergePatch = (pending: Pending | undefined, changes: Readonly<Cells>): Pending => {
  if (pending === undefined) return { kind: 'update', set: { ...changes }, add: {} };
  if (pending.kind === 'put') Object.assign(pending.row, changes);
  if (pending.kind === 'update') {
    Object.assign(pending.set, changes);
    for (const name of Object.keys(changes)) delete pending.add[name];
  }
  return pending;
};

const mergeAdd = (pending: Pending | undefined, increments: Readonly<Cells>): Pending => {
  const target: Pending = pending ?? { kind: 'update', set: {}, add: {} };
  if (target.kind === 'put') addCells(target.row, increments);
  if (target.kind === 'update') {
    for (const name of Object.keys(increments)) {
      const into: Cells = name in target.set ? target.set : target.add;
      into[name] = Number(into[name] ?? 0) + Number(increments[name]);
    }
  }
  return target;
};

/** One level for each column of a key: no text is made of a key only to find its row. */
type Level = Map<Cell, Level | Cells>;

const createSums = (key: readonly string[], counters: readonly string[]) => {
  const rows: Cells[] = [];
  const root: Level = new Map();
  const groups = key.slice(0, -1);
  const lastColumn = key.at(-1) ?? '';
  const levelOf = (row: Row): Level => {
    let level = root;
    for (const column of groups) {
      const cell = row[column] ?? null;
      let next = level.get(cell);
      if (!(next instanceof Map)) {
        next = new Map();
        level.set(cell, next);
      }
      level = next;
    }
    return level;
  };
  const accumulate = (row: Row): void => {
    const level = levelOf(row);
    const cell = row[lastColumn] ?? null;
    const held = level.get(cell);
    if (held === undefined || held instanceof Map) {
      const sum = { ...row };
      level.set(cell, sum);
      rows.push(sum);
    } else {
      for (const name of counters) held[name] = Number(held[name]) + Number(row[name]);
    }
  };
  return { rows, accumulate };
};

const tableBatch = (table: Table): { writer: RowWriter<Row>; changes: TableChanges } => {
  const keyed = new Map<string | number, Pending>();
  const sums = createSums(table.key, table.counters ?? []);
  const inserted: Row[] = [];
  const keyColumn = table.key[0] ?? '';
  const writer: RowWriter<Row> = {
    insert: (row) => void inserted.push(row),
    put: (row) => {
      const key = row[keyColumn];
      if (typeof key === 'string' || typeof key === 'number') {
        keyed.set(key, { kind: 'put', row: { ...row } });
      }
    },
    patch: (key, changes) => {
      keyed.set(key, mergePatch(keyed.get(key), changes as Cells));
    },
    add: (key, increments) => {
      keyed.set(key, mergeAdd(keyed.get(key), increments));
    },
    accumulate: sums.accumulate,
    remove: (key) => void keyed.set(key, { kind: 'remove' }),
  };
  return { writer, changes: { table, keyed, accumulated: sums.rows, inserted } };
};

/** What a batch has gathered so far, by table. */
export type Gathered<T extends Tables> = Readonly<Record<keyof T, TableChanges>>;
type Batch<T extends Tables> = Readonly<{
  writers: Writers<T>;
  gathered: Gathered<T>;
  changes: readonly TableChanges[];
}>;

/** Collects the changes of one batch of events to all tables of one projector. */
export const createRowBatch = <T extends Tables>(tables: T): Batch<T> => {
  const batches = Object.entries(tables).map(([name, table]) => ({ name, ...tableBatch(table) }));
  const writers = Object.fromEntries(batches.map(({ name, writer }) => [name, writer]));
  const gathered = Object.fromEntries(batches.map(({ name, changes }) => [name, changes]));
  return {
    writers: writers as unknown as Writers<T>,
    gathered: gathered as unknown as Gathered<T>,
    changes: batches.map(({ changes }) => changes),
  };
};
