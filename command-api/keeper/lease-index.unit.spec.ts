import { beforeEach, describe, expect, test } from 'vitest';
import { WrongExpectedRevisionError } from '../../infra/ports/event-store.ts';
import {
  createMemoryEventStore,
  type MemoryEventStore,
} from '../../tests/support/memory-event-store.ts';
import { LeaseIndex } from './lease-index.ts';

const hour = 3_600_000;
const start = Date.parse('2026-03-01T08:00:00.000Z');
let store: MemoryEventStore;
let now: number;
let holders: Set<number>;
beforeEach(() => {
  store = createMemoryEventStore();
  now = start;
  holders = new Set();
});

const open = () =>
  new LeaseIndex({
    eventStore: store,
    clock: () => new Date(now),
    mayHoldLease: (userId) => holders.has(userId),
  });
const notes = () => store.all.map(({ event }) => event.data);
const newest = () => (notes().at(-1) as { accounts: readonly (readonly number[])[] }).accounts;
const loaded = async (...partitions: readonly number[]) =>
  (await open().load(partitions)).sort((a, b) => a - b);

describe('an account that may hold a lease', () => {
  test('is in the list of its partition, with the time of the note', async () => {
    await open().note(7);
    await open().note(64 + 9);
    expect(store.all.map(({ streamId }) => streamId)).toEqual([
      'leasedAccounts-7',
      'leasedAccounts-9',
    ]);
    expect(notes()).toEqual([
      { partition: 7, accounts: [[7, start]] },
      { partition: 9, accounts: [[73, start]] },
    ]);
    expect(store.all[0]?.metadata).toMatchObject({
      actor: { kind: 'system', id: 'keeper' },
      occurredAt: '2026-03-01T08:00:00.000Z',
    });
    expect(await loaded(7, 9)).toEqual([7, 73]);
    expect(await loaded(7)).toEqual([7]);
    expect(await loaded(8)).toEqual([]);
  });
  test('is noted once an hour', async () => {
    const index = open();
    await index.note(7);
    now += hour - 1;
    expect(index.note(7)).toBeNull();
    now += 1;
    await index.note(7);
    expect(notes().at(-1)).toEqual({ partition: 7, accounts: [[7, start + hour]] });
    expect(store.all).toHaveLength(2);
  });
  test('is not noted again by a keeper that has read the list', async () => {
    await open().note(7);
    const index = open();
    await index.load([7]);
    expect(index.note(7)).toBeNull();
  });
  test('is noted by two keepers in one millisecond under two event ids', async () => {
    await open().note(7);
    await open().note(7);
    expect(new Set(store.all.map(({ eventId }) => eventId)).size).toBe(2);
  });
  test('stays next to the others of its partition', async () => {
    const index = open();
    await index.note(7);
    await index.note(71);
    expect(newest()).toEqual([
      [7, start],
      [71, start],
    ]);
    const other = open();
    await other.note(135);
    expect(newest()).toHaveLength(3);
  });
  test('leaves the list two hours after its note, where it holds no lease', async () => {
    const index = open();
    await index.note(7);
    await index.note(71);
    now = start + 2 * hour;
    await index.note(135);
    expect(newest().map(([userId]) => userId)).toEqual([7, 71, 135]);
    now += 1;
    holders.add(71);
    await index.note(199);
    expect(newest().map(([userId]) => userId)).toEqual([71, 135, 199]);
  });
  test('is noted with others that arrive in the meantime, and none is left out', async () => {
    const index = open();
    await Promise.all([index.note(7), index.note(71), index.note(135)]);
    expect(
      newest()
        .map(([userId]) => userId)
        .sort(),
    ).toEqual([135, 7, 71]);
    expect(store.appends).toBe(2);
  });
});

describe('the list', () => {
  test('is bounded to its newest event, once', async () => {
    const bounds: unknown[] = [];
    store.boundStream = async (streamId, bound) => {
      bounds.push([streamId, bound]);
    };
    const index = open();
    await index.note(7);
    await index.note(71);
    expect(bounds).toEqual([['leasedAccounts-7', { maxCount: 1 }]]);
  });
  test('continues where another keeper wrote in between', async () => {
    const [one, two] = [open(), open()];
    await one.note(7);
    await two.note(71);
    await one.note(135);
    expect(newest().map(([userId]) => userId)).toEqual([7, 71, 135]);
  });
  test('continues after an unreadable event', async () => {
    await open().note(7);
    store.appendUnreadable('leasedAccounts-7');
    await open().note(71);
    expect(store.all.at(-1)?.revision).toBe(2n);
  });
  test('is given up after twelve conflicts', async () => {
    let tries = 0;
    store.beforeAppend = async (streamId) => {
      tries += 1;
      throw new WrongExpectedRevisionError(streamId);
    };
    await expect(open().note(7)).rejects.toThrow('partition 7');
    expect(tries).toBe(12);
  });
  test('is given up at once where the log is away, and written by the next request', async () => {
    let tries = 0;
    store.beforeAppend = async () => {
      tries += 1;
      if (tries === 1) throw new Error('the log is away');
    };
    const index = open();
    await expect(index.note(7)).rejects.toThrow('away');
    expect(tries).toBe(1);
    await index.note(7);
    expect(newest()).toEqual([[7, start]]);
  });
  test('a note behind one that fails is written all the same', async () => {
    let isAway = true;
    store.beforeAppend = async () => {
      if (!isAway) return;
      isAway = false;
      throw new Error('the log is away');
    };
    const index = open();
    const first = index.note(7);
    const second = index.note(71);
    await expect(first).rejects.toThrow('away');
    await second;
    expect(newest().map(([userId]) => userId)).toContain(71);
  });
});
