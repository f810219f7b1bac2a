import { beforeEach, expect, test } from 'vitest';
import { type RefusedCalls, refusedSubject } from '../../domain/relay/refusals.ts';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import {
  createMemoryEventStore,
  type MemoryEventStore,
} from '../../tests/support/memory-event-store.ts';
import { aRefusal } from '../../tests/support/refusal-examples.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { serveRefusals } from './record-refusals.ts';

const stream = 'refusals-relay-a';
const now = '2026-03-01T08:00:10.000Z';
let store: MemoryEventStore;
let bus: Bus;
let bounds: (readonly [string, object])[];

beforeEach(async () => {
  store = createMemoryEventStore();
  bounds = [];
  store.boundStream = async (streamId, bound) => {
    bounds.push([streamId, bound]);
  };
  bus = createMemoryBus({ logger: silentLogger });
  await serveRefusals({ bus, eventStore: store, clock: () => new Date(now) });
});

const send = (sequence: number, count = 1): Promise<unknown> => {
  const refusals = [aRefusal({ count })];
  const body: RefusedCalls = { relayId: 'relay-a', sequence, refusals };
  return bus.request(refusedSubject, body);
};
const counts = (): readonly unknown[] =>
  store.all.map(({ event }) =>
    event.type === 'CallsRefused'
      ? (event.data as { refusals: readonly { count: number }[] }).refusals[0]?.count
      : event.type,
  );

test('refused calls are one event of their relay, in a stream that is kept for 30 days', async () => {
  expect(await send(0)).toEqual({ sequence: 0 });
  expect(bounds).toEqual([[stream, { maxAgeSeconds: 2_592_000 }]]);
  expect(store.all).toMatchObject([
    {
      streamId: stream,
      event: { type: 'CallsRefused', data: { relayId: 'relay-a', refusals: [aRefusal()] } },
      metadata: { actor: { kind: 'relay', id: 'relay-a' }, occurredAt: now },
    },
  ]);
});

test('a request that is repeated is recorded once', async () => {
  for (const [sequence, count] of [
    [0, 1],
    [0, 1],
    [1, 2],
    [0, 1],
    [1, 2],
    [2, 3],
  ] as const) {
    expect(await send(sequence, count)).toEqual({ sequence });
  }
  expect(counts()).toEqual([1, 2, 3]);
});

test('two keepers that get the same request at once record it once', async () => {
  await Promise.all([send(0, 4), send(0, 4)]);
  expect(counts()).toEqual([4]);
});

test('what follows a lost part of the log is recorded all the same', async () => {
  await send(7, 5);
  expect(counts()).toEqual([5]);
});
