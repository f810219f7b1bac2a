import type { Event, Recorded } from '../../domain/shared/event.ts';
import type { Gathered, TableChanges } from './row-batch.ts';
import type { Place, RowStore } from './row-store.ts';
import type { Tables, Writers } from './table.ts';

type Handler<E extends Event, T extends Tables, C> = (
  rows: Writers<T>,
  recorded: Recorded<E>,
  context: C,
) => void;

/** The last work of a batch. */
export type Finish = (place: Place) => Promise<void>;

/** Every event type of the union has an entry: a handler, or `'ignored'`. */
export type Handlers<E extends Event, T extends Tables, C> = Readonly<{
  [Type in E['type']]: Handler<Extract<E, { type: Type }>, T, C> | 'ignored';
}>;

type Parts<T extends Tables, C> = Readonly<{
  /** kebab-case; the schema of its tables is the same in snake_case. */
  name: string;
  /** Raise it when handlers change meaning; a change of the tables is seen without it. */
  version: number;
  tables: T;
  /**
   * Events of one stream that remove older rows. A build from the start of the log applies them first, so that it does
   * not write rows only to remove them.
   */
  ahead?: Readonly<{ streamId: string; type: string }>;
  /** What handlers need besides the event, read once for each batch. */
  prepare?: (events: readonly Recorded[], place: Place) => Promise<C>;
  /** After the last event of a batch: rows that follow from those gathered. */
  settle?: (rows: Writers<T>, gathered: Gathered<T>) => void;
  /** Statements in addition to rows, after them and in their transaction; null: there are none. */
  finish?: (context: C) => Finish | null;
  /** After a commit, once it serves: publishes what changed. */
  committed?: (changes: readonly TableChanges[], place: Place) => Promise<void>;
  /** When it has reached the head of the log, and begins to serve: publishes the whole state. */
  started?: (place: Place) => Promise<void>;
}>;

type AnyHandler = (rows: unknown, recorded: Recorded, context: unknown) => void;

/** A read model: which events change which rows. Handlers are synchronous and only write rows. */
export type Projector = Readonly<
  Parts<Tables, unknown> & { on: Readonly<Record<string, AnyHandler | 'ignored'>> }
>;

/** Checks the handlers against the events, then drops their types. */
export const projector =
  <E extends Event>() =>
  <T extends Tables, C = null>(
    definition: Parts<T, C> & Readonly<{ on: Handlers<E, T, C> }>,
  ): Projector =>
    definition as unknown as Projector;

export const schemaOf = (name: string): string => name.replaceAll('-', '_');
export const placeOf = (rows: RowStore, { name }: Projector): Place => ({
  rows,
  schema: schemaOf(name),
});

export const concerns = ({ on }: Projector, { event }: Recorded): boolean =>
  typeof on[event.type] === 'function';
