import { CompiledQuery } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Event } from '../../domain/shared/event.ts';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import { createMetrics } from '../../infra/metrics/create-metrics.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import { nodeSystem } from '../../infra/system/node-system.ts';
import {
  createMemoryEventStore,
  type MemoryEventStore,
} from '../../tests/support/memory-event-store.ts';
import {
  appendTo,
  projected,
  startTestPostgres,
  type TestDatabase,
  type TestPostgres,
} from '../../tests/support/read-side.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { createPostgresRows } from './postgres-rows.ts';
import { type Projector, projector } from './projector.ts';
import { createRunner, type Runner } from './run-projections.ts';
import { defineTable, type RowOf } from './table.ts';

type Counted = Event<'Counted', { id: number; by: number }>;
type Poisoned = Event<'Poisoned', { id: number }>;

const counted = (id: number, by: number): Counted => ({ type: 'Counted', data: { id, by } });

const tables = {
  counters: defineTable({
    name: 'counters',
    columns: { id: 'int8', total: 'int8', seen: 'int8' },
    key: ['id'],
  }),
  days: defineTable({
    name: 'days',
    columns: { day: 'int8', sum: 'int8' },
    key: ['day'],
    counters: ['sum'],
  }),
};
type CounterRow = RowOf<typeof tables.counters>;
/** Counts; nothing of it is idempotent by itself, so that a repeated batch shows. */
const counter = (
  name: string,
  given: { version?: number; onPoison?: () => void } = {},
): Projector =>
  projector<Counted | Poisoned>()({
    name,
    version: given.version ?? 1,
    tables,
    on: {
      Counted: ({ counters, days }, { event: { data }, revision }) => {
        if (revision < 7n) counters.put({ id: data.id, total: 0, seen: 0 });
        counters.add(data.id, { total: data.by, seen: 1 });
        days.accumulate({ day: data.id % 3, sum: data.by });
      },
      Poisoned: given.onPoison ?? 'ignored',
    },
  });

let postgres: TestPostgres;
let database: TestDatabase;
let eventStore: MemoryEventStore;
let bus: Bus;
const runners: Runner[] = [];

beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  database = await postgres.database();
  eventStore = createMemoryEventStore();
  bus = createMemoryBus({ logger: silentLogger });
});
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  await bus.close();
  await database.close();
});

const run = async (...projectors: readonly Projector[]): Promise<Runner> => {
  const system = { ...nodeSystem, clock: () => new Date('2026-03-01T08:15:00.000Z') };
  const reports = { logger: silentLogger, metrics: createMetrics({ process: 'test' }) };
  const deps = { ...system, ...reports, rows: createPostgresRows(database.db), eventStore, bus };
  const runner = createRunner({ ...deps, projectors });
  runners.push(runner);
  await runner.start();
  return runner;
};
const rows = async <R>(text: string): Promise<R[]> =>
  (await database.db.executeQuery(CompiledQuery.raw(text))).rows as R[];
const countersOf = (schema: string) =>
  rows<CounterRow>(`SELECT * FROM ${schema}.counters ORDER BY id`);
const append = (...events: readonly Event[]) => appendTo(eventStore)('things-1', ...events);
/** Seven counters, then `many` additions of 1 spread over them. */
const fill = async (many: number): Promise<void> => {
  await append(...Array.from({ length: 7 }, (_, id) => counted(id, 0)));
  for (let done = 0; done < many; done += 500) {
    await append(...Array.from({ length: 500 }, (_, i) => counted((done + i) % 7, 1)));
  }
};
const totalOf = (all: readonly CounterRow[]): number =>
  all.reduce((sum, { total }) => sum + total, 0);

/** Ends the connection of the running transaction, each `every`th time that rows are counted. */
const breakConnections = async (schema: string, every: number): Promise<void> => {
  await rows(`CREATE SEQUENCE ${schema}.tries`);
  await rows(`CREATE FUNCTION ${schema}.break() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF nextval('${schema}.tries') % ${every} = 0 THEN
      PERFORM pg_terminate_backend(pg_backend_pid());
    END IF;
    RETURN NULL; END $$`);
  await rows(`CREATE TRIGGER break AFTER INSERT ON ${schema}.days
    FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.break()`);
};

test('every event takes effect exactly once while connections break before the commit', async () => {
  await run(counter('count-a'), counter('count-b'));
  await breakConnections('count_a', 2);
  await breakConnections('count_b', 3);
  await fill(500);
  for (let part = 0; part < 11; part += 1) {
    await append(...Array.from({ length: 500 }, (_, i) => counted(i % 7, 1)));
    await projected(bus, eventStore, ['count-a', 'count-b']);
  }
  for (const schema of ['count_a', 'count_b']) {
    const tries = await rows<{ last_value: number }>(`SELECT last_value FROM ${schema}.tries`);
    expect(tries[0]?.last_value).toBeGreaterThan(3);
    const all = await countersOf(schema);
    expect(totalOf(all)).toBe(6_000);
    expect(all.reduce((sum, { seen }) => sum + seen, 0)).toBe(6_007);
    expect(await rows(`SELECT sum(sum)::int8 AS sum FROM ${schema}.days`)).toEqual([
      { sum: 6_000 },
    ]);
  }
});

test('what projectors write of one tick is one transaction', async () => {
  const runner = await run(counter('count-a'), counter('count-b'));
  await expect.poll(() => runner.ready().ok, { timeout: 20_000 }).toBe(true);
  await fill(0);
  await projected(bus, eventStore, ['count-a', 'count-b']);
  const tables = ['count_a.counters', 'count_b.counters', 'projections.checkpoint'];
  const writers = tables.map((table) => `SELECT xmin::text FROM ${table}`).join(' UNION ');
  expect(await rows(writers)).toHaveLength(1);
});

test('a restart continues after the last event that took effect', async () => {
  const first = await run(counter('count-a'));
  await fill(1_000);
  await projected(bus, eventStore, ['count-a']);
  await first.stop();
  await append(counted(3, 5));
  await run(counter('count-a'));
  await projected(bus, eventStore, ['count-a']);
  expect(totalOf(await countersOf('count_a'))).toBe(1_005);
});

test('a rebuild gives the same rows, while the log grows', async () => {
  const runner = await run(counter('count-a'));
  await fill(3_000);
  await projected(bus, eventStore, ['count-a']);
  const before = await countersOf('count_a');
  let seen = 0;
  const rebuilding = runner.rebuild('count-a', (progress) => {
    seen = progress;
  });
  await append(counted(1, 1), counted(2, 1));
  await rebuilding;
  await append(counted(1, 1));
  await projected(bus, eventStore, ['count-a']);
  expect(totalOf(await countersOf('count_a'))).toBe(totalOf(before) + 3);
  expect(seen).toBe(1);
});

test('a projector that fails stops at its checkpoint and the others continue', async () => {
  const failing = counter('count-a', {
    onPoison: () => {
      throw new Error('cannot digest this');
    },
  });
  const failed: string[] = [];
  await bus.subscribe<{ checkpoints: { name: string; failed?: true }[] }>(
    'projection.checkpoint',
    ({ checkpoints }) => {
      for (const { name, failed: hasFailed } of checkpoints) if (hasFailed) failed.push(name);
    },
  );
  const runner = await run(failing, counter('count-b'));
  await fill(500);
  await projected(bus, eventStore, ['count-a', 'count-b']);
  await append({ type: 'Poisoned', data: { id: 1 } }, counted(1, 9));
  await projected(bus, eventStore, ['count-a', 'count-b']);
  expect(totalOf(await countersOf('count_b'))).toBe(509);
  expect(totalOf(await countersOf('count_a'))).toBe(500);
  expect(runner.ready()).toEqual({ ok: false, detail: 'stopped: count-a' });
  expect(runner.status().map(({ name, state }) => [name, state])).toEqual([
    ['count-a', 'failed'],
    ['count-b', 'live'],
  ]);
  expect(new Set(failed)).toEqual(new Set(['count-a']));
});

test('a projection of another version is rebuilt from the log', async () => {
  const first = await run(counter('count-a'));
  await fill(500);
  await projected(bus, eventStore, ['count-a']);
  await rows('UPDATE count_a.counters SET total = 0');
  await first.stop();
  await run(counter('count-a', { version: 2 }));
  await projected(bus, eventStore, ['count-a']);
  expect(totalOf(await countersOf('count_a'))).toBe(500);
});

test('a projection whose tables changed is rebuilt from the log', async () => {
  const first = await run(counter('count-a'));
  await fill(500);
  await projected(bus, eventStore, ['count-a']);
  await first.stop();
  const hours = { ...tables.days, name: 'hours' };
  await run({ ...counter('count-a'), tables: { ...tables, hours } });
  await projected(bus, eventStore, ['count-a']);
  expect(await rows('SELECT * FROM count_a.hours')).toEqual([]);
  expect(totalOf(await countersOf('count_a'))).toBe(500);
});

type NoteRow = Readonly<{ id: number; author: string; text: string }>;
type Noted = Event<'Noted', { id: number; author: string; text: string }>;
const notes = (given: { until?: number } = {}): Projector =>
  projector<Noted>()({
    name: 'notes',
    version: 1,
    tables: {
      notes: defineTable({
        name: 'notes',
        columns: { id: 'int8', author: 'text', text: 'text' },
        key: ['id'],
        indexes: ['(author, id)'],
      }),
    },
    on: {
      Noted: (tables, { event: { data } }) => {
        if (data.id === given.until) throw new Error('not yet');
        tables.notes.insert(data);
      },
    },
  });
const indexesOfNotes = () =>
  rows<{ indexname: string }>(
    "SELECT indexname FROM pg_indexes WHERE schemaname = 'notes' ORDER BY indexname",
  );
const odd = 'tab\tline\nreturn\rback\\slash \\N \\. "quoted" 汉字 🙂 nul\u0000';
const note = (id: number): Noted => ({
  type: 'Noted',
  data: { id, author: `a${id % 5}`, text: id % 2 === 0 ? odd : '' },
});

test('a first build that was interrupted continues, and ends with every row and index', async () => {
  for (let id = 0; id < 6_000; id += 500) {
    await append(...Array.from({ length: 500 }, (_, more) => note(id + more)));
  }
  const first = await run(notes({ until: 5_000 }));
  await expect.poll(() => first.status()[0]?.state, { timeout: 20_000 }).toBe('failed');
  await first.stop();
  const half = await rows<{ count: number }>('SELECT count(*) FROM notes.notes');
  expect(half[0]?.count).toBeGreaterThan(0);
  expect(half[0]?.count).toBeLessThan(6_000);
  expect(await indexesOfNotes()).toHaveLength(1);
  const second = await run(notes());
  await projected(bus, eventStore, ['notes']);
  await expect.poll(() => second.ready().ok, { timeout: 20_000 }).toBe(true);
  expect(await indexesOfNotes()).toHaveLength(2);
  await append(note(6_000));
  await projected(bus, eventStore, ['notes']);
  const all = await rows<NoteRow>('SELECT * FROM notes.notes ORDER BY id');
  expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 6_001 }, (_, id) => id));
  expect(new Set(all.map(({ text }) => text))).toEqual(new Set(['', odd.slice(0, -1)]));
});

test('a rebuild ends with every row and index', async () => {
  await append(...Array.from({ length: 100 }, (_, id) => note(id)));
  const runner = await run(notes());
  await projected(bus, eventStore, ['notes']);
  await runner.rebuild('notes', () => {});
  expect(await indexesOfNotes()).toHaveLength(2);
  expect(await rows('SELECT count(*) FROM notes.notes')).toEqual([{ count: 100 }]);
});

test('one process projects, a second one waits and takes over', async () => {
  const first = await run(counter('count-a'));
  await fill(500);
  await projected(bus, eventStore, ['count-a']);
  const second = await run(counter('count-a'));
  expect(second.ready()).toEqual({ ok: true, detail: 'standby' });
  await expect(second.rebuild('count-a', () => {})).rejects.toThrow('another process');
  await first.stop();
  await append(counted(1, 1));
  await projected(bus, eventStore, ['count-a']);
  expect(totalOf(await countersOf('count_a'))).toBe(501);
  expect(second.ready().ok).toBe(true);
});
