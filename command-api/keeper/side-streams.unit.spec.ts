import { beforeEach, describe, expect, test } from 'vitest';
import type { CallFacts } from '../../domain/account/events.ts';
import { aCall, aFailedRecord, relayId, userId } from '../../tests/support/account-examples.ts';
import {
  createMemoryEventStore,
  type MemoryEventStore,
} from '../../tests/support/memory-event-store.ts';
import { createSideStreams } from './side-streams.ts';

const stream = `relay-${relayId}`;
let store: MemoryEventStore;
let now: string;
let bounds: (readonly [string, object])[];
const open = () => createSideStreams(store, () => new Date(now));

beforeEach(() => {
  store = createMemoryEventStore();
  now = '2026-03-01T08:00:00.000Z';
  bounds = [];
  store.boundStream = async (streamId, bound) => {
    bounds.push([streamId, bound]);
  };
});

describe('the error log of a relay', () => {
  test('holds what failed', async () => {
    await open().failed(relayId, [aFailedRecord({ message: 'x'.repeat(2_001) })]);
    expect(store.all).toHaveLength(1);
    expect(store.all[0]).toMatchObject({ streamId: stream });
    expect(store.all[0]?.event).toEqual({
      type: 'RequestFailed',
      data: {
        userId,
        call: aCall(),
        statusCode: 502,
        errorType: 'upstream_error',
        errorCode: 'bad_gateway',
        message: 'x'.repeat(2_000),
      },
    });
    expect(store.all[0]?.metadata).toEqual({
      actor: { kind: 'relay', id: relayId },
      correlationId: 'req-1',
      causationId: 'req-1',
      commandId: 'req-1',
      occurredAt: now,
    });
  });
  test('holds a failure once, however often it is reported', async () => {
    await open().failed(relayId, [aFailedRecord()]);
    await open().failed(relayId, [aFailedRecord()]);
    expect(store.all).toHaveLength(1);
    await open().failed(relayId, [aFailedRecord({ call: { requestId: 'req-2' } })]);
    expect(store.all).toHaveLength(2);
  });
  test('holds a failure once where the store takes every id again, two keepers at a time', async () => {
    const ids = store.append.bind(store);
    let unique = 0;
    store.append = (streamId, events, expected) => {
      unique += 1;
      const renamed = events.map((event) => ({ ...event, eventId: `${event.eventId}/${unique}` }));
      return ids(streamId, renamed, expected);
    };
    const keepers = [open(), open()];
    const records = Array.from({ length: 20 }, (_, nth) =>
      aFailedRecord({ call: { requestId: `req-${nth}` } }),
    );
    await Promise.all(
      keepers.flatMap((keeper) => [
        keeper.failed(relayId, records.slice(0, 15)),
        keeper.failed(relayId, records.slice(5)),
      ]),
    );
    expect(store.all).toHaveLength(20);
  });
  test('is kept for thirty days, which is set once', async () => {
    const sideStreams = open();
    await sideStreams.failed(relayId, [aFailedRecord()]);
    await sideStreams.failed(relayId, [aFailedRecord({ call: { requestId: 'req-2' } })]);
    expect(bounds).toEqual([[stream, { maxAgeSeconds: 2_592_000 }]]);
  });
  test('takes 300 failures in three appends, in order', async () => {
    const ids = Array.from({ length: 300 }, (_, nth) => `req-${nth}`);
    await open().failed(
      relayId,
      ids.map((requestId) => aFailedRecord({ call: { requestId } })),
    );
    const written = store.all.map(
      ({ event }) => (event.data as { call: CallFacts }).call.requestId,
    );
    expect([store.appends, written]).toEqual([3, ids]);
  });
  test('takes 128 failures in one append', async () => {
    const records = Array.from({ length: 128 }, (_, nth) =>
      aFailedRecord({ call: { requestId: `req-${nth}` } }),
    );
    await open().failed(relayId, records);
    expect(store.appends).toBe(1);
  });
  test('returns which of some requests failed', async () => {
    const sideStreams = open();
    for (const requestId of ['a', 'b', 'c']) {
      await sideStreams.failed(relayId, [aFailedRecord({ call: { requestId } })]);
    }
    const failed = await sideStreams.failedAmong(relayId, new Set(['a', 'c', 'd']));
    expect([...failed].sort()).toEqual(['a', 'c']);
  });
  test('ignores events of another kind', async () => {
    const metadata = { ...aFailedRecord(), ...{ occurredAt: now } } as never;
    const event = { type: 'Other', data: { call: { requestId: 'a' } } };
    await store.append(stream, [{ event, eventId: 'e', metadata }], 'any');
    expect((await open().failedAmong(relayId, new Set(['a']))).size).toBe(0);
  });
});

describe('a record that cannot be settled', () => {
  test('is kept with its reason, once for each partition', async () => {
    await open().deadLetter(5, 'unreadable', '{"a"');
    await open().deadLetter(5, 'unreadable', '{"a"');
    await open().deadLetter(5, 'unreadable', '{"b"');
    expect(store.all).toHaveLength(2);
    const [first] = store.all;
    expect(first).toMatchObject({
      streamId: 'usageSetAside-5',
      event: { type: 'UsageRecordSetAside', data: { reason: 'unreadable', record: '{"a"' } },
      metadata: { actor: { kind: 'relay', id: 'unknown' }, occurredAt: now },
    });
    expect(first?.eventId).toBe(first?.metadata.commandId);
  });
});
