import { CompiledQuery, type Kysely } from 'kysely';
import type { Recorded } from '../../domain/shared/event.ts';
import type { Shadow, ShadowInput, ShadowReport } from '../../infra/ports/read-models.ts';
import { createPostgresRows } from '../runtime/postgres-rows.ts';
import { type Outcome, outcomeOf, writeOutcomes } from '../runtime/project.ts';
import { concerns, type Projector, schemaOf } from '../runtime/projector.ts';
import type { Place, RowStore } from '../runtime/row-store.ts';
import { createStatements, type Table } from '../runtime/table.ts';
import {
  compareEventRows,
  countRows,
  differencesOf,
  dropAllRows,
  dropMatchedRows,
  type TablePair,
  unexpectedRow,
} from './compare.ts';

type Db = Kysely<unknown>;

/** Of events. */
const defaultBatch = 4_000;
/** Batches that wait or are applied; beyond them the reader of the log waits. */
const maxBatches = 2;

const run = async (db: Db, text: string): Promise<void> => {
  await db.executeQuery(CompiledQuery.raw(text));
};

/** Event rows need neither their key nor partitions: they stay until they have been compared. */
const shadowTable = (table: Table): Table => {
  const { partitionByMonth: _partition, include: _include, ...plain } = table;
  return table.eventPosition === undefined ? table : { ...plain, key: [table.eventPosition] };
};

/** An event table, and how far its rows have been compared. */
type EventTable = {
  readonly pair: TablePair;
  comparedTo: bigint | null;
  rows: number;
  hasUnmatched: boolean;
};

/** One projector, and its tables in the shadow. */
type Member = Readonly<{
  projector: Projector;
  place: Omit<Place, 'rows'> & Readonly<{ memory: Map<string, unknown> }>;
  pairs: readonly TablePair[];
  events: readonly EventTable[];
}>;

const createMember = (projector: Projector, keptSince: number): Member => {
  const live = schemaOf(projector.name);
  const shadow = `pg_temp/${live}.`;
  const tables = Object.entries(projector.tables).map(
    ([name, table]) => [name, shadowTable(table)] as const,
  );
  const pairs = tables.map(([, table]) => ({ live, shadow, table, keptSince }));
  const isOfEvents = ({ table }: TablePair): boolean => table.eventPosition !== undefined;
  return {
    projector: { ...projector, tables: Object.fromEntries(tables) },
    place: { schema: shadow, fresh: true, memory: new Map() },
    pairs: pairs.filter((pair) => !isOfEvents(pair)),
    events: pairs
      .filter(isOfEvents)
      .map((pair) => ({ pair, comparedTo: null, rows: 0, hasUnmatched: false })),
  };
};

const createMemberTables = async (db: Db, { place, pairs, events }: Member): Promise<void> => {
  const all = [...pairs, ...events.map(({ pair }) => pair)];
  await run(db, all.flatMap(({ table }) => createStatements(place.schema, table)).join('; '));
};

/** Events of one batch that a projector takes. */
type Part = Readonly<{ member: Member; events: readonly Recorded[] }>;

/** Several parts one by one; a single part in halves. */
const smallerOf = (parts: readonly Part[]): readonly Part[] => {
  const [{ member, events } = {}, ...others] = parts;
  if (member === undefined || events === undefined || others.length > 0) return parts;
  const middle = events.length >> 1;
  return [
    { member, events: events.slice(0, middle) },
    { member, events: events.slice(middle) },
  ];
};

const applyParts = async (db: Db, parts: readonly Part[]): Promise<void> => {
  const write = async (rows: RowStore): Promise<void> => {
    const outcomes: Outcome[] = [];
    for (const { member, events } of parts) {
      const place = { ...member.place, rows };
      outcomes.push(await outcomeOf({ projector: member.projector, events, place }));
    }
    await writeOutcomes(rows, outcomes);
  };
  const rows = createPostgresRows(db);
  await (db.isTransaction ? write(rows) : rows.transaction(write));
};

/**
 * Applies a batch in one transaction. An event that its projector cannot apply is found by halves, reported and left
 * out.
 */
const apply = async (db: Db, parts: readonly Part[], report: ShadowReport): Promise<void> => {
  try {
    await applyParts(db, parts);
  } catch (error) {
    // They may contain what was not written.
    for (const { member } of parts) member.place.memory.clear();
    const [event, ...others] = parts.flatMap(({ events }) => events);
    if (event !== undefined && others.length === 0) {
      report.event(event, `${event.event.type}: ${String(error)}`);
      return;
    }
    for (const part of smallerOf(parts)) await apply(db, [part], report);
  }
};

type Compared = Readonly<{ table: EventTable; upTo: bigint | null }>;

/** Compares event rows up to a place. Rows that agree leave the shadow, the others wait for the end. */
const compareRows = async (
  db: Db,
  compared: readonly Compared[],
  report: ShadowReport,
): Promise<void> => {
  const parts = compared.map(({ table, upTo }) => ({
    table,
    pair: table.pair,
    places: { after: table.comparedTo, upTo },
  }));
  for (const { part, rows, unmatched, unexpected } of await compareEventRows(db, parts)) {
    const { table, upTo } = compared[part] ?? {};
    if (table === undefined || upTo === undefined) continue;
    for (const key of unexpected) report.row(unexpectedRow(table.pair, key));
    table.rows += rows;
    table.hasUnmatched ||= unmatched > 0;
    table.comparedTo = upTo;
  }
  const matched = parts.filter(({ table }) => !table.hasUnmatched);
  await dropAllRows(
    db,
    matched.map(({ pair }) => pair),
  );
  if (db.isTransaction) return;
  for (const { table, pair, places } of parts) {
    if (table.hasUnmatched) await dropMatchedRows(db, pair, places);
  }
};

export interface ComparedShadow extends Shadow {
  /** From now on it works within this transaction. */
  within(db: Db): void;
  /** `upTo`: the checkpoint of the projection. */
  compare(projection: string, upTo: bigint | null): Promise<number>;
}

export type ShadowOptions = Readonly<{
  projectors: readonly Projector[];
  /** Events that are applied and compared at one time. */
  batchEvents?: number;
}>;

export const openShadow = async (
  db: Db,
  input: ShadowInput,
  { projectors, batchEvents = defaultBatch }: ShadowOptions,
): Promise<ComparedShadow> => {
  const { eventStore, accepts, projections, keptSince, report } = input;
  const members = projectors
    .filter(({ name }) => projections.has(name))
    .map((projector) => createMember(projector, keptSince));
  const types = new Set(
    members.flatMap(({ projector: { on } }) =>
      Object.keys(on).filter((type) => typeof on[type] === 'function'),
    ),
  );
  let current = db;
  let pending: Recorded[] = [];
  let waiting = 0;
  let turn: Promise<void> = Promise.resolve();

  const partOf = (member: Member, batch: readonly Recorded[]): Part => {
    const { projector } = member;
    const takes = ({ position }: Recorded): boolean => accepts(projector.name, position);
    const events = batch.filter((recorded) => concerns(projector, recorded));
    const [first, last] = [events[0], events.at(-1)];
    // The places that it takes are one range.
    const isAll = first !== undefined && last !== undefined && takes(first) && takes(last);
    return { member, events: isAll ? events : events.filter(takes) };
  };
  const applyBatch = async (batch: readonly Recorded[]): Promise<void> => {
    const parts = members
      .map((member) => partOf(member, batch))
      .filter(({ events }) => events.length > 0);
    await apply(current, parts, report);
    const compared = parts.flatMap(({ member, events }) =>
      member.events.map((table) => ({ table, upTo: events.at(-1)?.position ?? null })),
    );
    await compareRows(current, compared, report);
  };
  const applyAhead = async (member: Member): Promise<void> => {
    const { ahead, name } = member.projector;
    if (ahead === undefined) return;
    const events: Recorded[] = [];
    const upTo = projections.get(name) ?? -1n;
    for await (const recorded of eventStore.readStream(ahead.streamId)) {
      if (recorded.event.type === ahead.type && recorded.position <= upTo) events.push(recorded);
    }
    if (events.length > 0) await apply(db, [{ member, events }], report);
  };
  const submit = (): void => {
    const batch = pending;
    if (batch.length === 0) return;
    pending = [];
    waiting += 1;
    turn = turn
      .then(() => applyBatch(batch))
      .finally(() => {
        waiting -= 1;
      });
    // Its failure is reported by those who wait for it.
    turn.catch(() => undefined);
  };

  for (const member of members) {
    await createMemberTables(db, member);
    await applyAhead(member);
  }
  return {
    take: (recorded) => {
      if (!types.has(recorded.event.type)) return;
      pending.push(recorded);
      if (pending.length >= batchEvents) submit();
    },
    room: async () => {
      if (waiting >= maxBatches) await turn;
    },
    settled: () => {
      submit();
      return turn;
    },
    within: (trx) => {
      current = trx;
    },
    compare: async (projection, upTo) => {
      const member = members.find(({ projector: { name } }) => name === projection);
      if (member === undefined) return 0;
      // Rows beyond the checkpoint are of no event that the projection has seen.
      for (const end of [upTo, null]) {
        const compared = member.events.map((table) => ({ table, upTo: end }));
        await compareRows(current, compared, report);
      }
      const pairs = [...member.pairs, ...member.events.map(({ pair }) => pair)];
      const { breaks, cut } = await differencesOf(current, pairs);
      for (const found of breaks) report.row(found);
      for (const name of cut) report.note(`${name}: more rows differ than the report lists`);
      const rows = member.events.reduce((sum, table) => sum + table.rows, 0);
      return rows + (await countRows(current, member.pairs));
    },
  };
};
