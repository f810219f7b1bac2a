import { CompiledQuery } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Event, Recorded } from '../../domain/shared/event.ts';
import {
  startTestPostgres,
  type TestDatabase,
  type TestPostgres,
} from '../../tests/support/read-side.ts';
import { finishTables, prepareTables } from './checkpoints.ts';
import { createPostgresRows } from './postgres-rows.ts';
import { type Finish, type Projector, projector } from './projector.ts';
import type { RowStore } from './row-store.ts';
import { defineTable } from './table.ts';
import { createMemory, projectTogether } from './tick-transaction.ts';
import type { Member } from './worker.ts';

type Counted = Event<'Counted', { id: number; by: number }>;

const tables = {
  counters: defineTable({
    name: 'counters',
    columns: { id: 'int8', total: 'int8' },
    key: ['id'],
    counters: ['total'],
  }),
};
const counter = (name: string, finish: Finish | null = null): Projector =>
  projector<Counted>()({
    name,
    version: 1,
    tables,
    finish: () => finish,
    on: {
      Counted: ({ counters }, { event: { data } }) =>
        counters.accumulate({ id: data.id, total: data.by }),
    },
  });

let postgres: TestPostgres;
let database: TestDatabase;
let store: RowStore;
let memory: ReturnType<typeof createMemory>;

beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  database = await postgres.database();
  memory = createMemory();
  store = createPostgresRows(database.db);
  await store.createCheckpointTable();
});
afterEach(() => database.close());

const rows = async <R>(text: string): Promise<R[]> =>
  (await database.db.executeQuery(CompiledQuery.raw(text))).rows as R[];
const opened = async (projectors: readonly Projector[]): Promise<readonly Projector[]> => {
  for (const each of projectors) {
    await prepareTables(store, each, false);
    await finishTables(store, each);
  }
  return projectors;
};
const counted = (position: bigint, by: number) =>
  ({
    position,
    eventId: `e-${position}`,
    event: { type: 'Counted', data: { id: 1, by } },
  }) as unknown as Recorded;
/** Both projectors take the event, from the position in `persisted`. */
const tick = (
  projectors: readonly Projector[],
  persisted: bigint | null,
  recorded: Recorded,
  eventId = `e-${persisted}`,
): Promise<unknown> => {
  const parts = projectors.map((each) => {
    const at = persisted === null ? null : { position: persisted, eventId };
    return { member: { projector: each, at, persisted: at } as Member, relevant: [recorded] };
  });
  return projectTogether({ rows: store, memory }, parts, recorded);
};
const moved = { name: 'CheckpointMovedError' };
const totals = () =>
  rows<{ total: number }>(
    'SELECT total FROM count_a.counters UNION ALL SELECT total FROM count_b.counters',
  );
const checkpoints = () =>
  rows('SELECT name, position, event_id FROM projections.checkpoint ORDER BY name');

test('rows and checkpoints of a tick are one transaction, tick after tick', async () => {
  const both = await opened([counter('count-a'), counter('count-b')]);
  await tick(both, null, counted(1n, 5));
  for (let position = 2n; position < 9n; position += 1n) {
    await tick(both, position - 1n, counted(position, 1));
  }
  expect(await totals()).toEqual([{ total: 12 }, { total: 12 }]);
  expect(await checkpoints()).toEqual([
    { name: 'count-a', position: 8, event_id: 'e-8' },
    { name: 'count-b', position: 8, event_id: 'e-8' },
  ]);
  const written = ['count_a.counters', 'count_b.counters', 'projections.checkpoint'];
  const writers = written.map((table) => `SELECT xmin::text FROM ${table}`).join(' UNION ');
  expect(await rows(writers)).toHaveLength(1);
});

test('a tick writes nothing when another process has moved one of the checkpoints', async () => {
  const both = await opened([counter('count-a'), counter('count-b')]);
  await tick(both, null, counted(1n, 5));
  await rows("UPDATE projections.checkpoint SET position = 2 WHERE name = 'count-b'");
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await expect(tick(both, 1n, counted(2n, 1))).rejects.toMatchObject(moved);
  }
  expect(await totals()).toEqual([{ total: 5 }, { total: 5 }]);
  expect((await checkpoints())[0]).toMatchObject({ position: 1, event_id: 'e-1' });
});

test('a tick writes nothing upon the rows of another log that are at the same position', async () => {
  const both = await opened([counter('count-a'), counter('count-b')]);
  await tick(both, null, counted(1n, 5));
  await rows(
    "UPDATE projections.checkpoint SET event_id = 'of-another-log' WHERE name = 'count-b'",
  );
  await expect(tick(both, 1n, counted(2n, 1), 'e-1')).rejects.toMatchObject(moved);
  const finish: Finish = async () => undefined;
  const withFinish = [counter('count-a', finish), counter('count-b', finish)];
  await expect(tick(withFinish, 1n, counted(2n, 1), 'e-1')).rejects.toMatchObject(moved);
  const from = [{ name: 'count-b', at: { position: 1n, eventId: 'e-1' } }];
  await expect(store.moveCheckpoints({ from, to: 2n, eventId: 'e-2' })).rejects.toMatchObject(
    moved,
  );
  expect(await totals()).toEqual([{ total: 5 }, { total: 5 }]);
});

test('statements in addition to rows are in the same transaction', async () => {
  const finish: Finish = async ({ rows: { db }, schema }) => {
    await db.executeQuery(CompiledQuery.raw(`UPDATE ${schema}.counters SET total = 100`));
    throw new Error('not to be finished');
  };
  const both = await opened([counter('count-a'), counter('count-b', finish)]);
  await expect(tick(both, null, counted(1n, 5))).rejects.toThrow('not to be finished');
  expect(await totals()).toEqual([]);
  expect((await checkpoints())[0]).toMatchObject({ position: null });
});
