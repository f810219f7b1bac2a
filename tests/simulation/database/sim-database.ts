export type Cell = number | string | boolean | null;
export type Row = Record<string, Cell>;
export type Checkpoint = Readonly<{
  version: string;
  position: string | null;
  /** Of the event at the position. */
  event_id: string | null;
}>;
/** Column → PostgreSQL type, and the columns of the key. */
export type TableShape = Readonly<{
  columns: ReadonlyMap<string, string>;
  key: readonly string[];
}>;
export type SimTable = Readonly<{ shape: TableShape; rows: Map<string, Row> }>;
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
  /** The connection that leads. */
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

  dropSchema(name: string, undo: Undo): void {
    const before = this.#schemas.get(name);
    this.#schemas.delete(name);
    undo.push(() => restoreEntry(this.#schemas, name, before));
  }

  /** All read models are gone, and how far they were. */
  dropAll(): void {
    this.#schemas.clear();
    this.#checkpoints.clear();
  }

  hasTable(schema: string, name: string): boolean {
    return this.#schemas.get(schema)?.has(name) === true;
  }

  createSchema(name: string, undo: Undo): void {
    this.#schemas.set(name, new Map());
    undo.push(() => this.#schemas.delete(name));
  }

  renameSchema(from: string, to: string, undo: Undo): void {
    const schema = this.#schemas.get(from);
    if (schema === undefined) throw new Error(`schema ${from} does not exist`);
    this.dropSchema(from, undo);
    this.#schemas.set(to, schema);
    undo.push(() => this.#schemas.delete(to));
  }

  createTable(schema: string, name: string, shape: TableShape): void {
    this.#schema(schema).set(name, { shape, rows: new Map() });
  }

  table(schema: string, name: string): SimTable {
    const table = this.#schema(schema).get(name);
    if (table === undefined) throw new Error(`relation ${schema}.${name} does not exist`);
    return table;
  }

  /** null: no such table. */
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

  #schema(name: string): Schema {
    const schema = this.#schemas.get(name);
    if (schema === undefined) throw new Error(`schema ${name} does not exist`);
    return schema;
  }
}

export const takeBack = (undo: Undo): void => {
  for (const revert of undo.splice(0).reverse()) revert();
};

const restoreEntry = <K, V>(map: Map<K, V>, key: K, before: V | undefined): void => {
  if (before === undefined) map.delete(key);
  else map.set(key, before);
};

export const keyOf = (shape: TableShape, row: Row): string =>
  shape.key.map((name) => String(row[name])).join('\u0000');
