import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMemoryBus } from '../../../infra/bus/memory/create-memory-bus.ts';
import { createEventStore } from '../../../infra/event-store/create-event-store.ts';
import { createMetrics } from '../../../infra/metrics/create-metrics.ts';
import type { EventStore } from '../../../infra/ports/event-store.ts';
import type { VerifyReport } from '../../../infra/ports/verify.ts';
import { createDatabase, type Database } from '../../../infra/postgres/create-database.ts';
import { nodeSystem } from '../../../infra/system/node-system.ts';
import { verify } from '../../../infra/verify/verify.ts';
import { createProjections, type Projections } from '../../../projections/create-projections.ts';
import { createReadModels } from '../../../projections/create-read-models.ts';
import { testVault } from '../../support/read-side.ts';
import { testReadSessions } from '../../support/sessions.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { startTestNode, type TestNode } from '../event-store/harness.ts';
import { dayAfter, type StoryIds, tellCleanStory } from './clean-story.ts';

let node: TestNode;
let eventStore: EventStore;
let readModels: Database<unknown>;
let log: Database<unknown>;
let projections: Projections;
let ids: StoryIds;
const bus = createMemoryBus({ logger: silentLogger });

beforeAll(async () => {
  node = await startTestNode();
  eventStore = createEventStore({ url: node.url, logger: silentLogger });
  ids = await tellCleanStory(eventStore);
  await node.postgres.createDatabase('rows');
  const options = { applicationName: 'verify-spec', maxConnections: 12 };
  readModels = createDatabase({ ...options, url: node.postgres.url('rows') });
  log = createDatabase({ ...options, url: node.postgres.url('events') });
  for (const { pool } of [readModels, log]) {
    pool.on('connect', (client) => client.on('error', () => undefined));
  }
  projections = createProjections({
    ...nodeSystem,
    eventStore,
    bus,
    db: readModels.db,
    vault: testVault,
    ...testReadSessions(bus),
    clock: dayAfter,
    logger: silentLogger,
    metrics: createMetrics({ process: 'test' }),
    settings: {},
  });
  await projections.start();
});
afterAll(async () => {
  await projections.stop();
  await eventStore.close();
  await readModels.close();
  await log.close();
  await bus.close();
  await node.stop();
});

const check = (): Promise<VerifyReport> =>
  verify({ eventStore, readModels: createReadModels(readModels.db), clock: dayAfter });
/** Overwrites the stored bytes of one event, as a person with access to the disk could. */
const tamper = (name: string, from: string, to: string) =>
  log.pool.query(
    `UPDATE events SET data = convert_to(replace(convert_from(data, 'UTF8'), $2, $3), 'UTF8')
     WHERE event_id = $1`,
    [ids[name], from, to],
  );
/** The node keeps the newest events in memory; a fresh one reads the disk. */
const restartNode = async (): Promise<void> => {
  await node.kill();
  await node.start();
};

test('an untouched site over the real engines has no break, and two runs agree', async () => {
  const first = await check();
  const second = await check();
  expect(first.breaks).toEqual([]);
  expect(first.notes).toEqual([]);
  expect(first.rows).toBeGreaterThan(30);
  expect(second).toEqual(first);
});

test('an amount altered on the disk of the event store is found by its event', async () => {
  await tamper('req-2', '"amount":3625', '"amount":3624');
  await restartNode();
  const { breaks } = await check();
  const ofEvent = breaks.filter(({ eventId }) => eventId === ids['req-2']);
  const kinds = ['balance-mismatch', 'price-mismatch', 'row-differs'];
  expect(ofEvent.map(({ kind }) => kind)).toEqual(kinds);
  await tamper('req-2', '"amount":3624', '"amount":3625');
  await restartNode();
  expect((await check()).breaks).toEqual([]);
});

test('an event deleted on the disk of the event store is found by the gap it leaves', async () => {
  await log.pool.query('CREATE TABLE kept AS SELECT * FROM events WHERE event_id = $1', [
    ids.abandoned,
  ]);
  await log.pool.query('DELETE FROM events WHERE event_id = $1', [ids.abandoned]);
  await restartNode();
  const gap = (await check()).breaks.find(({ kind }) => kind === 'revision-gap');
  expect(gap?.eventId).toBe(ids.late);
  await log.pool.query('INSERT INTO events SELECT * FROM kept');
  await restartNode();
});

test('a personal key whose stream was deleted is missed', async () => {
  await eventStore.tombstoneStream('personalKey-42');
  expect((await check()).breaks.map(({ kind, eventId }) => [kind, eventId])).toContainEqual([
    'personal-key-missing',
    ids['user-42'],
  ]);
});
