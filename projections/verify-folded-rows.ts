import { hash, randomUUID } from 'node:crypto';
import { CompiledQuery, type Kysely } from 'kysely';
import type { FoldedTable, ReportRow } from '../infra/ports/read-models.ts';
import { type Cell, quoted, type Row, type RowWriter, type Table } from './runtime/table.ts';

type Db = Kysely<unknown>;
type Cells = Record<string, Cell>;
type Key = string | number;

/** Stands in the place of a text that the log holds sealed: the cell is not compared. */
export const sealedText = `\uffff${randomUUID()}`;
const isSealed = (text: string): boolean => text.includes(sealedText);

/** Rows that are kept as objects; all others are kept as text. */
const openRows = 4_096;
/** Rows that are fetched at one time. */
const pageRows = 5_000;
/** Longer texts are kept as a digest. */
const keptCharacters = 40;
const shownCharacters = 120;
const digestKey = randomUUID();

const separator = '\u0001';
const nothing = '\u0002';
// biome-ignore lint/suspicious/noControlCharactersInRegex: a statement with rows leaves them out
const control = /[\u0000-\u0002]/g;

const shortened = (text: string): string =>
  text.length > keptCharacters && !isSealed(text)
    ? `#${hash('md5', digestKey + text, 'hex')}`
    : text;
const cellText = (value: Cell | undefined): string => {
  if (typeof value === 'string') return shortened(value.replace(control, ''));
  return value === null || value === undefined ? nothing : String(value);
};
const cellOf = (text: string, type: string): Cell => {
  if (text === nothing) return null;
  if (type.startsWith('int8') || type === 'float8') return Number(text);
  return type === 'bool' ? text === 'true' : text;
};

/** What is compared elsewhere: takes what a handler writes, and forgets it. */
export const forgetting: RowWriter<never> = {
  insert: () => undefined,
  put: () => undefined,
  patch: () => undefined,
  add: () => undefined,
  accumulate: () => undefined,
  remove: () => undefined,
};

type Definition = Readonly<{
  schema: string;
  table: Table;
  /** What is left of a row once people have gone; null: nothing. */
  left?: ((row: Row) => Row | null) | undefined;
}>;

const shown = (value: Cell | undefined): string => {
  const text = String(value);
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
};

/**
 * A table of a read model as the log makes it, to be held against the table itself. Its memory for each row is
 * the text of its cells, with a digest in place of each long one.
 */
export class FoldedRows implements RowWriter<Row>, FoldedTable {
  readonly name: string;
  readonly #db: Db;
  readonly #definition: Definition;
  readonly #columns: readonly string[];
  readonly #open = new Map<Key, Cells>();
  readonly #parked = new Map<Key, string>();

  constructor(db: Db, definition: Definition) {
    const { schema, table } = definition;
    this.name = `${schema}.${table.name}`;
    this.#db = db;
    this.#definition = definition;
    this.#columns = Object.keys(table.columns);
  }

  insert(row: Row): void {
    this.put(row);
  }

  put(row: Row): void {
    this.#keep(this.#keyOf(row), { ...row });
  }

  patch(key: Key, changes: Partial<Row>): void {
    const row = this.#take(key);
    if (row !== undefined) Object.assign(row, changes);
  }

  add(key: Key, increments: Partial<Row>): void {
    const row = this.#take(key);
    if (row === undefined) return;
    for (const name of Object.keys(increments)) {
      row[name] = Number(row[name]) + Number(increments[name]);
    }
  }

  accumulate(row: Row): void {
    const key = this.#keyOf(row);
    const known = this.#take(key);
    if (known === undefined) {
      this.#keep(key, { ...row });
      return;
    }
    for (const name of this.#definition.table.counters ?? []) {
      known[name] = Number(known[name]) + Number(row[name]);
    }
  }

  remove(key: Key): void {
    this.#open.delete(key);
    this.#parked.delete(key);
  }

  /** Answers how many rows there were. */
  async compare(report: ReportRow): Promise<number> {
    let count = 0;
    for await (const row of this.#stored()) {
      count += 1;
      this.#compareRow(row, report);
    }
    for (const key of [...this.#open.keys(), ...this.#parked.keys()]) {
      if (this.#due(key) === null) continue;
      report('row-missing', String(key), 'the log has it, the read model has not');
    }
    return count;
  }

  #compareRow(row: Row, report: ReportRow): void {
    const key = this.#keyOf(row);
    const due = this.#due(key);
    this.remove(key);
    if (due === null) {
      report('row-unexpected', String(key), 'the log knows of no such thing');
      return;
    }
    const problems = this.#columns.flatMap((name) => {
      const [found, expected] = [cellText(row[name]), cellText(due[name])];
      return found === expected || isSealed(expected)
        ? []
        : [`${name} is ${shown(row[name])}, the log says ${shown(due[name])}`];
    });
    if (problems.length > 0) report('row-differs', String(key), problems.join('; '));
  }

  #keyOf(row: Row): Key {
    const { key } = this.#definition.table;
    if (key.length > 1) return key.map((name) => String(row[name])).join('/');
    return row[key[0] ?? ''] as Key;
  }

  /** null: no such row is expected. */
  #due(key: Key): Row | null {
    const row = this.#open.get(key) ?? this.#unparked(key);
    if (row === undefined) return null;
    const { left } = this.#definition;
    return left === undefined ? row : left(row);
  }

  #take(key: Key): Cells | undefined {
    const open = this.#open.get(key);
    if (open !== undefined) return open;
    const row = this.#unparked(key);
    if (row !== undefined) this.#keep(key, row);
    return row;
  }

  #keep(key: Key, row: Cells): void {
    this.#parked.delete(key);
    if (!this.#open.has(key) && this.#open.size >= openRows) this.#park();
    this.#open.set(key, row);
  }

  /** The row that was opened first. */
  #park(): void {
    for (const [key, row] of this.#open) {
      this.#open.delete(key);
      this.#parked.set(key, this.#columns.map((name) => cellText(row[name])).join(separator));
      return;
    }
  }

  #unparked(key: Key): Cells | undefined {
    const text = this.#parked.get(key);
    if (text === undefined) return undefined;
    const { columns } = this.#definition.table;
    const cells = text.split(separator);
    return Object.fromEntries(
      this.#columns.map((name, index) => [name, cellOf(cells[index] ?? '', columns[name] ?? '')]),
    );
  }

  /** All rows in the order of the key, page by page. */
  async *#stored(): AsyncGenerator<Row> {
    const { key } = this.#definition.table;
    const columns = this.#columns.map(quoted).join(', ');
    const order = key.map(quoted).join(', ');
    const places = key.map((_, index) => `$${index + 1}`).join(', ');
    for (let after: readonly Cell[] = []; ; ) {
      const since = after.length === 0 ? '' : `WHERE (${order}) > (${places})`;
      const { rows } = await this.#db.executeQuery<Row>(
        CompiledQuery.raw(
          `SELECT ${columns} FROM ${this.name} ${since} ORDER BY ${order} LIMIT ${pageRows}`,
          [...after],
        ),
      );
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageRows) return;
      after = key.map((name) => last[name] ?? null);
    }
  }
}
