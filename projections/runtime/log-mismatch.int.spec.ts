import { CompiledQuery } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Event, Recorded } from '../../domain/shared/event.ts';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import { createMetrics } from '../../infra/metrics/create-metrics.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Logger } from '../../infra/ports/logger.ts';
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
import { projector } from './projector.ts';
import { createRunner, type Runner } from './run-projections.ts';
import { defineTable } from './table.ts';

type Noted = Event<'Noted', { text: string }>;
type NoteRow = Readonly<{ position: number; text: string }>;

const notes = projector<Noted>()({
  name: 'note-list',
  version: 1,
  tables: {
    notes: defineTable({
      name: 'notes',
      columns: { position: 'int8', text: 'text' },
      key: ['position'],
    }),
  },
  on: {
    Noted: (tables, { event, position }) =>
      tables.notes.insert({ position: Number(position), text: event.data.text }),
  },
});

let postgres: TestPostgres;
let database: TestDatabase;
let eventStore: MemoryEventStore;
let bus: Bus;
let metrics: ReturnType<typeof createMetrics>;
let errors: string[];
const runners: Runner[] = [];

beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  database = await postgres.database();
  eventStore = createMemoryEventStore();
  bus = createMemoryBus({ logger: silentLogger });
  metrics = createMetrics({ process: 'test' });
  errors = [];
});
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  await bus.close();
  await database.close();
});

const logger: Logger = {
  ...silentLogger,
  error: (...given: readonly unknown[]) => void errors.push(String(given.at(-1))),
};
const run = async (log = eventStore): Promise<Runner> => {
  const runner = createRunner({
    ...nodeSystem,
    rows: createPostgresRows(database.db),
    eventStore: log,
    bus,
    projectors: [notes],
    clock: () => new Date('2026-03-01T08:15:00.000Z'),
    logger,
    metrics,
    healthCheckMs: 20,
  });
  runners.push(runner);
  await runner.start();
  return runner;
};
const sql = async <R>(text: string): Promise<R[]> =>
  (await database.db.executeQuery(CompiledQuery.raw(text))).rows as R[];
const texts = async (): Promise<string[]> =>
  (await sql<NoteRow>('SELECT text FROM note_list.notes ORDER BY position')).map(
    ({ text }) => text,
  );
const checkpoint = async () =>
  (
    await sql<{ position: number; event_id: string | null }>('SELECT * FROM projections.checkpoint')
  )[0];
const note = (stream: string, ...notes: readonly string[]) =>
  appendTo(eventStore)(stream, ...notes.map((text): Noted => ({ type: 'Noted', data: { text } })));
const settled = () => projected(bus, eventStore, ['note-list']);
/** The log as it was some events ago, as a restored backup is. */
const forgetNewest = (count: number): void => {
  (eventStore.all as Recorded[]).splice(-count);
};
const alarmsIn = async (): Promise<string> => JSON.stringify(await metrics.values());
const alarmed = 'read model is rebuilt from the log';

test('next to a checkpoint is the id of the event at it', async () => {
  await run();
  await note('notes-1', 'a', 'b');
  await settled();
  const last = eventStore.all.at(-1);
  await expect
    .poll(checkpoint)
    .toMatchObject({ position: Number(last?.position), event_id: last?.eventId });
});

test('a log that was restored to an older state while nothing ran is projected again', async () => {
  const first = await run();
  await note('notes-1', 'a', 'b', 'lost', 'lost too');
  await settled();
  await first.stop();
  forgetNewest(2);
  await note('notes-2', 'c', 'd', 'e');
  const second = await run();
  await settled();
  await expect.poll(() => second.ready().ok, { timeout: 10_000 }).toBe(true);
  expect(await texts()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(errors).toContain(alarmed);
  expect(second.ready().detail).toContain('the log is not the one');
  expect(second.ready().detail).toContain('note-list');
  expect(await alarmsIn()).toContain('"reason":"another-log"');
});

test('a log that ends before the checkpoint is projected again', async () => {
  const first = await run();
  await note('notes-1', 'a', 'b', 'lost');
  await settled();
  await first.stop();
  await sql('UPDATE projections.checkpoint SET event_id = NULL');
  forgetNewest(1);
  const second = await run();
  await settled();
  await expect.poll(() => second.ready().ok, { timeout: 10_000 }).toBe(true);
  expect(await texts()).toEqual(['a', 'b']);
  expect(errors).toContain(alarmed);
});

test('another log is projected in place of the first', async () => {
  const first = await run();
  await note('notes-1', 'a', 'b', 'c');
  await settled();
  await first.stop();
  eventStore = createMemoryEventStore();
  await note('notes-1', 'x', 'y', 'z');
  await run();
  await settled();
  await expect.poll(texts).toEqual(['x', 'y', 'z']);
  expect(errors).toContain(alarmed);
});

test('a log that is restored while the projections run is detected, and projected again', async () => {
  const runner = await run();
  await note('notes-1', 'a', 'b', 'lost', 'lost too');
  await settled();
  // Two checks: the first one finds where the log is.
  await new Promise((resolve) => setTimeout(resolve, 200));
  forgetNewest(2);
  await note('notes-2', 'c');
  await expect.poll(texts, { timeout: 20_000 }).toEqual(['a', 'b', 'c']);
  await expect.poll(() => runner.ready().ok, { timeout: 10_000 }).toBe(true);
  expect(errors).toContain('the log does not hold the event that was read last');
  expect(runner.ready().detail).toContain('the log is not the one');
  await note('notes-2', 'd');
  await settled();
  expect(await texts()).toEqual(['a', 'b', 'c', 'd']);
});

test('a log that is put back before anything was read from it is noticed', async () => {
  const first = await run();
  await note('things-1', 'one', 'two', 'three');
  await settled();
  await first.stop();
  const second = await run();
  await expect.poll(() => second.ready().ok, { timeout: 20_000 }).toBe(true);
  forgetNewest(2);
  await note('things-2', 'four', 'five', 'six');
  await expect.poll(texts, { timeout: 20_000 }).toEqual(['one', 'four', 'five', 'six']);
});

test('read models of another log that are restored under a running process are rebuilt', async () => {
  await run();
  await note('things-1', 'one', 'two', 'three');
  await settled();
  await sql('CREATE TABLE kept AS SELECT * FROM note_list.notes');
  const kept = await checkpoint();
  forgetNewest(2);
  await expect.poll(texts, { timeout: 20_000 }).toEqual(['one']);
  await sql('DELETE FROM note_list.notes');
  await sql('INSERT INTO note_list.notes SELECT * FROM kept');
  await sql(`UPDATE projections.checkpoint
    SET position = ${kept?.position}, event_id = '${kept?.event_id}'`);
  await note('things-2', 'four', 'five', 'six', 'seven');
  await expect.poll(texts, { timeout: 20_000 }).toEqual(['one', 'four', 'five', 'six', 'seven']);
});

test('an event that the store has removed since is no other log', async () => {
  const first = await run();
  await note('notes-1', 'a', 'b');
  await settled();
  await first.stop();
  await note('notes-1', 'c');
  (eventStore.all as Recorded[]).splice(1, 1);
  await run();
  await settled();
  await expect.poll(texts).toEqual(['a', 'b', 'c']);
  expect(errors).toEqual([]);
});

test('a missing read model is named by the readiness, and rebuilt at the next start', async () => {
  const first = await run();
  await note('notes-1', 'a', 'b');
  await settled();
  await expect.poll(() => first.ready().ok).toBe(true);
  await sql('DROP SCHEMA note_list CASCADE');
  await expect.poll(() => first.ready().ok, { timeout: 5_000 }).toBe(false);
  expect(first.ready().detail).toContain('missing: note_list.notes');
  expect(errors).toContain('tables of read models are missing');
  await first.stop();
  const second = await run();
  await settled();
  await expect.poll(() => second.ready().ok, { timeout: 10_000 }).toBe(true);
  expect(await texts()).toEqual(['a', 'b']);
});

test('a missing read model is restored by a rebuild', async () => {
  const runner = await run();
  await note('notes-1', 'a', 'b');
  await settled();
  await sql('DROP SCHEMA note_list CASCADE');
  await expect.poll(() => runner.ready().ok, { timeout: 5_000 }).toBe(false);
  await runner.rebuild('note-list', () => undefined);
  expect(await texts()).toEqual(['a', 'b']);
  await expect.poll(() => runner.ready().ok, { timeout: 5_000 }).toBe(true);
});

test('checkpoints that are gone are named too', async () => {
  const runner = await run();
  await note('notes-1', 'a');
  await settled();
  await sql('DROP SCHEMA projections CASCADE');
  await expect.poll(() => runner.ready().ok, { timeout: 5_000 }).toBe(false);
  expect(runner.ready().detail).toContain('projections.checkpoint');
});
