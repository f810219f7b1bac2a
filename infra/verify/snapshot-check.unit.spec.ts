import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { evolveAccount } from '../../domain/account/decider-evolve.ts';
import type { AccountEvent } from '../../domain/account/events.ts';
import { type AccountSnapshotContent, takeSnapshot } from '../../domain/account/snapshot.ts';
import { createAccountState } from '../../domain/account/state.ts';
import type { Event, Recorded } from '../../domain/shared/event.ts';
import { dayAfter, tellCleanStory } from '../../tests/integration/verify/clean-story.ts';
import {
  createMemoryEventStore,
  type MemoryEventStore,
} from '../../tests/support/memory-event-store.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import { verify } from './verify.ts';

const userId = 42;
let eventStore: MemoryEventStore;

beforeEach(async () => {
  eventStore = createMemoryEventStore();
  await tellCleanStory(eventStore);
});

const accountEvents = (): AccountEvent[] =>
  eventStore.all
    .filter(({ streamId }) => streamId === `account-${userId}`)
    .map(({ event }) => event as AccountEvent);

/** As the keeper takes it, after so many events of the account. */
const snapshotAfter = (count: number): AccountSnapshotContent =>
  takeSnapshot(
    userId,
    accountEvents().slice(0, count).reduce(evolveAccount, createAccountState()),
    {
      traces: [['command-1', { first: 0, count: 1, hash: null, occurredAt: '' }]],
      forgottenUntil: null,
    },
  );
const append = async (streamId: string, event: Event): Promise<string> => {
  const eventId = randomUUID();
  await eventStore.append(streamId, [{ event, eventId, metadata: aMetadata({}) }], 'any');
  return eventId;
};
const takenSnapshot = (data: object): Promise<string> =>
  append(`accountSnapshot-${userId}`, { type: 'AccountSnapshotTaken', data });
const breaks = async () =>
  (await verify({ eventStore, readModels: null, clock: dayAfter })).breaks.map(
    ({ kind, eventId, detail }) => ({ kind, eventId, detail }),
  );

test('a snapshot that is what its events add up to is no break', async () => {
  await takenSnapshot(snapshotAfter(accountEvents().length));
  expect(await breaks()).toEqual([]);
});

test('a snapshot that was written while the account moved on is held against its own place', async () => {
  await takenSnapshot(snapshotAfter(5));
  expect(await breaks()).toEqual([]);
});

const nothing = takeSnapshot(userId, createAccountState(), { traces: [], forgottenUntil: null });
test.each(Object.keys(nothing))(
  'another value of %s is found, in a snapshot of the newest state and of an older one',
  async (field) => {
    if (field === 'version' || field === 'commands') return;
    for (const count of [accountEvents().length, 5]) {
      const snapshot: Record<string, unknown> = { ...snapshotAfter(count) };
      const value = snapshot[field];
      snapshot[field] = forged(value);
      const eventId = await takenSnapshot(snapshot);
      const found = (await breaks()).filter(({ kind }) => kind === 'snapshot-mismatch');
      expect(found.map((one) => one.eventId)).toEqual([eventId]);
    }
  },
);

const forged = (value: unknown): unknown => {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (!Array.isArray(value)) return { ...(value as object), forged: 1 };
  return [...value, ['forged', { amount: 1, spent: 0 }]];
};

test('only the newest snapshot counts, since no other is read', async () => {
  await takenSnapshot({ ...snapshotAfter(3), balance: 1_000_000_000 });
  await takenSnapshot(snapshotAfter(6));
  expect(await breaks()).toEqual([]);
});

test('a snapshot of more events than there are is found', async () => {
  const eventId = await takenSnapshot({ ...snapshotAfter(4), eventCount: 4_000 });
  expect(await breaks()).toMatchObject([{ kind: 'snapshot-mismatch', eventId }]);
});

test('a snapshot of a shape that no keeper reads is left out', async () => {
  await takenSnapshot({ ...snapshotAfter(4), version: 0, balance: 9 });
  expect(await breaks()).toEqual([]);
});

test('a snapshot of a long account agrees after many events', async () => {
  for (let index = 0; index < 300; index += 1) {
    await append(`account-${userId}`, {
      type: 'TokenBudgetSet',
      data: { userId, tokenId: 100 + (index % 7), unlimited: false, remain: index },
    });
  }
  await takenSnapshot(snapshotAfter(accountEvents().length));
  expect(await breaks()).toEqual([]);
});

test('each dead letter is named with its reason', async () => {
  const first = await append('usageSetAside-3', {
    type: 'UsageRecordSetAside',
    data: { reason: 'no such account', record: '{}' },
  });
  expect(await breaks()).toEqual([
    {
      kind: 'dead-letter',
      eventId: first,
      detail: 'a usage record was not settled: no such account',
    },
  ]);
});

test('a failure that is gone from the middle of a young error log is found', async () => {
  const failed = eventStore.all.find(({ event }) => event.type === 'RequestFailed') as Recorded;
  const { metadata } = failed;
  const again = async (requestId: string, occurredAt: string): Promise<void> => {
    const data = { ...(failed.event.data as object), call: { requestId } };
    const event = { type: 'RequestFailed', data };
    const at = { ...metadata, occurredAt };
    await eventStore.append(
      'relay-relay-b',
      [{ event, eventId: randomUUID(), metadata: at }],
      'any',
    );
  };
  for (const id of ['req-a', 'req-b', 'req-c']) await again(id, metadata.occurredAt);
  const kinds = async () => (await breaks()).map(({ kind }) => kind);
  expect(await kinds()).toEqual([]);
  (eventStore.all as Recorded[]).splice(-2, 1);
  expect(await kinds()).toEqual(['revision-gap']);
  // Old ones go by their age, and what followed them may have gone as well.
  const aged = eventStore.all.length - 2;
  const old = eventStore.all[aged] as Recorded;
  (eventStore.all as Recorded[])[aged] = {
    ...old,
    metadata: { ...old.metadata, occurredAt: '2026-01-01T00:00:00.000Z' },
  };
  expect(await kinds()).toEqual([]);
});
