import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKeeper } from '../../../command-api/keeper/create-keeper.ts';
import type { AccountEvent, QuotaAdjusted } from '../../../domain/account/events.ts';
import { createMemoryBus } from '../../../infra/bus/memory/create-memory-bus.ts';
import { createEventStore } from '../../../infra/event-store/create-event-store.ts';
import { decodeProductEvent } from '../../../infra/event-store/decoder.ts';
import { createUnreadableEvents } from '../../../infra/event-store/unreadable-events.ts';
import { createMetrics } from '../../../infra/metrics/create-metrics.ts';
import type { EventStore } from '../../../infra/ports/event-store.ts';
import { createDatabase, type Database } from '../../../infra/postgres/create-database.ts';
import { nodeSystem } from '../../../infra/system/node-system.ts';
import { verify } from '../../../infra/verify/verify.ts';
import { createProjections, type Projections } from '../../../projections/create-projections.ts';
import { createReadModels } from '../../../projections/verify-rows.ts';
import { anAccountCommand } from '../../support/account-examples.ts';
import { readModels as readModelNames, testVault } from '../../support/read-side.ts';
import { testReadSessions } from '../../support/sessions.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { dayAfter, tellCleanStory } from '../verify/clean-story.ts';
import { startTestNode, type TestNode } from './harness.ts';

/*
 * Adjustments as the first release wrote them, with their reason as one text, go through every
 * reader of the log: the keeper, the projections, verify and a rebuild.
 */

const userId = 42;
const stream = `account-${userId}`;
const reasons = ['', 'admin 1 set the quota of user 42', 'an apology for the outage'] as const;
const delta = 100;

let node: TestNode;
let eventStore: EventStore;
let readModels: Database<unknown>;
let projections: Projections;
let balance = 0;
const metrics = createMetrics({ process: 'test' });
const unreadable = createUnreadableEvents({ logger: silentLogger, metrics });
const bus = createMemoryBus({ logger: silentLogger });

const lastBalance = async (): Promise<number> => {
  const events = eventStore.readStream<AccountEvent>(stream, { backwards: true });
  for await (const { event } of events) {
    if ('balanceAfter' in event.data) return event.data.balanceAfter;
  }
  return 0;
};

/** As bytes of the first release, past the adapter of today. */
const appendVersion1 = async (): Promise<void> => {
  const client = EventStoreDBClient.connectionString(node.url);
  for (const [index, reason] of reasons.entries()) {
    balance += delta;
    const commandId = `old-${index}`;
    const stored = jsonEvent({
      id: randomUUID(),
      type: 'QuotaAdjusted',
      data: { userId, delta, seen: balance - delta, reason, balanceAfter: balance },
      metadata: {
        actor: { kind: 'admin', id: '1' },
        correlationId: commandId,
        causationId: commandId,
        commandId,
        occurredAt: '2026-03-01T09:00:00.000Z',
        schemaVersion: 1,
      },
    });
    await client.appendToStream(stream, stored);
  }
  await client.dispose();
};

beforeAll(async () => {
  node = await startTestNode();
  const events = { decode: decodeProductEvent, unreadable };
  eventStore = createEventStore({ url: node.url, logger: silentLogger, events });
  await tellCleanStory(eventStore);
  balance = await lastBalance();
  await appendVersion1();
  await node.postgres.createDatabase('rows');
  const options = { applicationName: 'old-events-spec', maxConnections: 12 };
  readModels = createDatabase({ ...options, url: node.postgres.url('rows') });
  readModels.pool.on('connect', (client) => client.on('error', () => undefined));
  projections = createProjections({
    ...nodeSystem,
    eventStore,
    bus,
    db: readModels.db,
    vault: testVault,
    ...testReadSessions(bus),
    clock: dayAfter,
    logger: silentLogger,
    metrics,
    settings: {},
  });
  await projections.start();
});
afterAll(async () => {
  await projections.stop();
  await eventStore.close();
  await readModels.close();
  await bus.close();
  await node.stop();
});

const rowsOf = async (table: string): Promise<readonly unknown[]> => {
  const query = `SELECT * FROM ${table} ORDER BY 1, 2`;
  return (await readModels.db.executeQuery(CompiledQuery.raw(query))).rows;
};
const shown = async () => ({
  ledger: await rowsOf('ledger.entries'),
  audit: await rowsOf('audit_trail.entries'),
  users: await rowsOf('user_list.users'),
});
const check = () =>
  verify({ eventStore, readModels: createReadModels(readModels.db), clock: dayAfter });

test('every reader gets the typed reason', async () => {
  const read: QuotaAdjusted['data']['reason'][] = [];
  for await (const { event } of eventStore.readStream<AccountEvent>(stream)) {
    if (event.type === 'QuotaAdjusted') read.push(event.data.reason);
  }
  expect(read).toEqual([
    { kind: 'set-by-admin', note: null },
    { kind: 'set-by-admin', note: null },
    { kind: 'other', note: 'an apology for the outage' },
  ]);
  expect(unreadable.ready().detail).toBe('every event can be read');
});

test('the keeper adjusts the account on top of them, and writes the current version', async () => {
  const keeper = createKeeper({
    ...nodeSystem,
    eventStore,
    bus,
    clock: () => new Date('2026-03-01T10:00:00.000Z'),
    logger: silentLogger,
    metrics,
  });
  await keeper.start();
  const reason = { kind: 'set-by-admin', note: 'ticket 17' } as const;
  const data = { userId, delta: -50, seen: balance, reason };
  const result = await keeper.execute(
    anAccountCommand('AdjustQuota', data, { commandId: 'new-adjustment' }),
  );
  await keeper.stop();
  balance -= 50;
  expect(result).toMatchObject({ events: [{ data: { balanceAfter: balance, reason } }] });
  const client = EventStoreDBClient.connectionString(node.url);
  const versions: unknown[] = [];
  for await (const { event } of client.readStream(stream)) {
    if (event?.type !== 'QuotaAdjusted') continue;
    versions.push((event.metadata as { schemaVersion?: number }).schemaVersion);
  }
  await client.dispose();
  expect(versions).toEqual([1, 1, 1, 2]);
});

test('verify finds no break, and a rebuild gives the same rows', async () => {
  await expect.poll(async () => (await check()).notes, { timeout: 10_000 }).toEqual([]);
  expect((await check()).breaks).toEqual([]);
  const before = await shown();
  const adjusted = before.ledger.filter(
    (row) => (row as { kind: string }).kind === 'QuotaAdjusted',
  );
  expect(adjusted).toMatchObject([
    { reason_kind: 'set-by-admin', reason: '' },
    { reason_kind: 'set-by-admin', reason: '' },
    { reason_kind: 'other', reason: 'an apology for the outage' },
    { reason_kind: 'set-by-admin', reason: 'ticket 17' },
  ]);
  for (const name of readModelNames) await projections.rebuild(name, () => undefined);
  expect(await shown()).toEqual(before);
  expect((await check()).breaks).toEqual([]);
});
