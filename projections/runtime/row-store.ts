import type { Kysely } from 'kysely';
import type { LogPlace } from '../../domain/shared/log-place.ts';
import type { Projector } from './projector.ts';
import type { TableChanges } from './row-batch.ts';
import type { Row, Table } from './table.ts';

/** Another process has written this projection: our checkpoint is not the newest. */
export class CheckpointMovedError extends Error {
  constructor(name: string) {
    super(`the checkpoint of ${name} is not where this process left it`);
    this.name = 'CheckpointMovedError';
  }
}

export type Checkpoint = Readonly<{ version: string; at: LogPlace | null }>;

/** Moves checkpoints to one place; all of them move, or none. */
export type Step = Readonly<{
  /** Each projection, and where this process left it. */
  from: readonly Readonly<{ name: string; at: LogPlace | null }>[];
  to: bigint;
  /** Of the event at `to`. */
  eventId: string;
}>;

/** Where the tables of a projector are: its own schema, or a shadow while it is rebuilt. */
export type Place = Readonly<{
  rows: RowStore;
  schema: string;
  /** The tables are built from the start of the log: no row can be there before it is inserted. */
  fresh?: boolean;
  /** Partitions that exist, with their schemas; those that are made are added. */
  partitions?: Set<string>;
  /** What the batches before have read, kept as long as this process alone has changed the tables. */
  memory?: Map<string, unknown>;
}>;

/** What a batch of events does to the tables of one projector. */
export type Written = Readonly<{
  place: Omit<Place, 'rows'>;
  changes: readonly TableChanges[];
}>;

/** Rows of one table by the values of one column, and of others by one value each. */
export type Selection = Readonly<{
  table: Table;
  column: string;
  values: readonly (string | number)[];
  and?: Readonly<Record<string, number | boolean>>;
}>;

/** The database of the read models: its tables, rows and checkpoints. */
export interface RowStore {
  /** For the queries of read models. */
  readonly db: Kysely<unknown>;
  /** The task gets a store whose writes take effect together, or not at all. */
  transaction<T>(task: (rows: RowStore) => Promise<T>): Promise<T>;
  /**
   * Runs `task` while this process alone may write; `ping` fails once that is over.
   * Returns false when another process has the lock.
   */
  withLock(task: (ping: () => Promise<void>) => Promise<void>): Promise<boolean>;
  createCheckpointTable(): Promise<void>;
  /** Tables of projectors, and the one of their checkpoints, that do not exist. */
  missingTables(projectors: readonly Projector[]): Promise<readonly string[]>;
  /** Empty tables in a schema that did not exist or is replaced; no indexes yet. */
  createTables(projector: Projector, schema: string): Promise<void>;
  /** Adds the indexes, and updates the statistics of the planner. */
  createIndexes(projector: Projector, schema: string): Promise<void>;
  readCheckpoint(name: string): Promise<Checkpoint | null>;
  /** At the start of the log, with this version. */
  resetCheckpoint(name: string, version: string): Promise<void>;
  /** Changes its version, if that is still `from`. */
  changeVersion(name: string, from: string, to: string): Promise<void>;
  /**
   * First in a transaction: of two processes that consider themselves active, one waits here and then fails.
   * @throws CheckpointMovedError
   */
  moveCheckpoints(step: Step): Promise<void>;
  /** A few statements for each table. */
  write(written: readonly Written[]): Promise<void>;
  /**
   * Both in one message, which is a separate transaction. Returns false, with nothing written,
   * where rows need more than one message.
   * @throws CheckpointMovedError
   */
  writeWithStep(step: Step, written: readonly Written[]): Promise<boolean>;
  select<R extends Row>(schema: string, selection: Selection): Promise<readonly R[]>;
  /**
   * Replaces the tables of a projector by those of `schema`, with their checkpoint, at one moment. Readers
   * that still use the old ones finish undisturbed.
   */
  swapTables(projector: Projector, schema: string, checkpoint: Checkpoint): Promise<void>;
}
