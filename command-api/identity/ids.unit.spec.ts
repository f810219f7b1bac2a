import { expect, test } from 'vitest';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import { createMemoryEventStore } from '../../tests/support/memory-event-store.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { createIds } from './ids.ts';
import { createNewId } from './repeatable-ids.ts';

const clock = () => new Date('2026-03-01T08:00:00.000Z');

test('the first user has number 1, the next one 2', async () => {
  const ids = createIds(createMemoryEventStore(), clock);
  expect([await ids.next('user'), await ids.next('user')]).toEqual([1, 2]);
});

test('each category counts for itself', async () => {
  const ids = createIds(createMemoryEventStore(), clock);
  await ids.next('user');
  expect(await ids.next('channel')).toBe(1);
});

test('two processes never give out the same number', async () => {
  const eventStore = createMemoryEventStore();
  const processes = [createIds(eventStore, clock), createIds(eventStore, clock)];
  const given = await Promise.all(
    Array.from({ length: 200 }, (_, nth) => processes[nth % 2]?.next('token')),
  );
  expect(new Set(given).size).toBe(200);
});

test('numbers continue after a restart, and none is used twice', async () => {
  const eventStore = createMemoryEventStore();
  const first = createIds(eventStore, clock);
  const before = [await first.next('user'), await first.next('user')];
  const after = await createIds(eventStore, clock).next('user');
  expect(after).toBeGreaterThan(Math.max(...before));
  expect(await first.highest('user')).toBeGreaterThanOrEqual(after);
});

test('a repeated wish gets the number of the first time, a new one another', async () => {
  const bus = createMemoryBus({ logger: silentLogger });
  const newId = createNewId(createIds(createMemoryEventStore(), clock), bus);
  const wished = (commandId: string) => ({
    metadata: aMetadata({ commandId }),
    isRepeatable: true,
  });
  const first = await newId('channel', wished('a'));
  expect(await newId('channel', wished('a'))).toBe(first);
  expect(await newId('channel', wished('a'), 1)).not.toBe(first);
  expect(await newId('channel', wished('b'))).not.toBe(first);
  await bus.close();
});

test('numbers continue after an unreadable event', async () => {
  const eventStore = createMemoryEventStore();
  const before = await createIds(eventStore, clock).next('user');
  eventStore.appendUnreadable('ids-user');
  const after = await createIds(eventStore, clock).next('user');
  expect(after).toBeGreaterThan(before);
});
