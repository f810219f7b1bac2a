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
  test('holds what failed, and of the caller only what the log keeps', async () => {
    const call = { ...aCall(), ip: '192.0.2.7' } as CallFacts;
    await open().failed(relayId, [aFailedRecord({ call, message: 'x'.repeat(2_001) })]);
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
  test('is kept for thirty days, which is said once', async () => {
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
  test('says what failed since a time, that time included', async () => {
    const sideStreams = open();
    const fail = async (time: string, requestId: string) => {
      now = `2026-03-01T${time}:00.000Z`;
      await sideStreams.failed(relayId, [aFailedRecord({ call: { requestId } })]);
    };
    await fail('08:00', 'a');
    await fail('09:00', 'b');
    await fail('10:00', 'c');
    const since = await sideStreams.failedSince(relayId, '2026-03-01T09:00:00.000Z');
    expect([...since].sort()).toEqual(['b', 'c']);
  });
  test('says nothing of events of another kind', async () => {
    const metadata = { ...aFailedRecord(), ...{ occurredAt: now } } as never;
    const event = { type: 'Other', data: { call: { requestId: 'a' } } };
    await store.append(stream, [{ event, eventId: 'e', metadata }], 'any');
    expect((await open().failedSince(relayId, now)).size).toBe(0);
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
