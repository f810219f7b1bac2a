import type { LogPlace } from '../../../domain/shared/log-place.ts';
import type { Checkpoint } from '../../../projections/runtime/row-store.ts';
import type { Row, Table } from '../../../projections/runtime/table.ts';

export type SimTable = Readonly<{ table: Table; rows: Map<string, Row> }>;
type Schema = Map<string, SimTable>;

/** How to take back what a transaction did, newest last. */
export type Undo = (() => void)[];

/** What the database holds: schemas of read models, and how far each of them is. */
export class SimDatabase {
  readonly #now: () => number;
  readonly #schemas = new Map<string, Schema>();
  readonly #checkpoints = new Map<string, Checkpoint>();
  #history: { at: number; undo: Undo }[] = [];
  /** Rows of checkpoints that a transaction has changed. */
  readonly locks = new Map<string, object>();
  /** The session that leads. */
  leader: object | null = null;

  constructor(now: () => number) {
    this.#now = now;
  }

  get checkpoints(): ReadonlyMap<string, Checkpoint> {
    return this.#checkpoints;
  }

  setCheckpoint(name: string, checkpoint: Checkpoint, undo: Undo): void {
    const before = this.#checkpoints.get(name);
    this.#checkpoints.set(name, checkpoint);
    undo.push(() => restoreEntry(this.#checkpoints, name, before));
  }

  /** All read models are gone, and how far they were. */
  dropAll(): void {
    this.#schemas.clear();
    this.#checkpoints.clear();
  }

  hasTable(schema: string, name: string): boolean {
    return this.#schemas.get(schema)?.has(name) === true;
  }

  /** Empty tables in place of those that the schema held. */
  createTables(name: string, tables: readonly Table[], undo: Undo): void {
    const before = this.#schemas.get(name);
    const entries = tables.map((table): [string, SimTable] => [
      table.name,
      { table, rows: new Map() },
    ]);
    this.#schemas.set(name, new Map(entries));
    undo.push(() => restoreEntry(this.#schemas, name, before));
  }

  table(schema: string, name: string): SimTable {
    const table = this.#schemas.get(schema)?.get(name);
    if (table === undefined) throw new Error(`relation ${schema}.${name} does not exist`);
    return table;
  }

  /** None where there is no such table. */
  rows(schema: string, name: string): Iterable<Row> {
    return this.#schemas.get(schema)?.get(name)?.rows.values() ?? [];
  }

  /** null takes the row away. */
  setRow({ rows }: SimTable, key: string, row: Row | null, undo: Undo): void {
    const before = rows.get(key);
    if (row === null) rows.delete(key);
    else rows.set(key, row);
    undo.push(() => restoreEntry(rows, key, before));
  }

  committed(undo: Undo): void {
    if (undo.length > 0) this.#history.push({ at: this.#now(), undo });
  }

  /** What a backup of that moment held. */
  restore(moment: number): void {
    while ((this.#history.at(-1)?.at ?? Number.NEGATIVE_INFINITY) > moment) {
      takeBack(this.#history.pop()?.undo ?? []);
    }
  }
}

export const takeBack = (undo: Undo): void => {
  for (const revert of undo.splice(0).reverse()) revert();
};

const restoreEntry = <K, V>(map: Map<K, V>, key: K, before: V | undefined): void => {
  if (before === undefined) map.delete(key);
  else map.set(key, before);
};

export const keyOf = ({ key }: Table, row: Row): string =>
  key.map((name) => String(row[name])).join('\u0000');

export const isAt = (checkpoint: Checkpoint | undefined, at: LogPlace | null): boolean => {
  if (checkpoint === undefined || checkpoint.at?.position !== at?.position) return false;
  return (at?.eventId ?? null) === null || checkpoint.at?.eventId === at?.eventId;
};
