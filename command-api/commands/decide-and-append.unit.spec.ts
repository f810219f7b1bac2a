import { expect, test } from 'vitest';
import { createMemoryEventStore } from '../../tests/support/memory-event-store.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import { type AggregateSlot, type Decided, decideAndAppend } from './decide-and-append.ts';

const streamId = 'count-1';
const toAppend = (nth: number) => ({
  event: { type: 'Counted', data: { nth } },
  eventId: `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`,
  metadata: aMetadata({ commandId: `count-${nth}` }),
});

/** A stream whose state is the number of its events. */
const start = async (inLog: number, remembered: number | null) => {
  const eventStore = createMemoryEventStore();
  for (let nth = 0; nth < inLog; nth += 1)
    await eventStore.append(streamId, [toAppend(100 + nth)], 'any');
  let memory = remembered;
  const count = async (): Promise<number> => {
    memory = eventStore.all.length;
    return memory;
  };
  const slot: AggregateSlot<number> = {
    streamId,
    remembered: () => memory,
    load: count,
    readTail: count,
    revisionOf: (events) => BigInt(events - 1),
    appended: (events, added) => {
      memory = events + added.length;
    },
    forget: () => {
      memory = null;
    },
  };
  const seen: number[] = [];
  const give = (decide: (events: number) => Decided<string>) =>
    decideAndAppend(eventStore, slot, async (events) => {
      seen.push(events);
      return decide(events);
    });
  return { eventStore, give, seen };
};

const refusedBelow = (needed: number) => (events: number) =>
  events < needed
    ? { value: 'refused', events: [], needsTail: true }
    : { value: 'done', events: [toAppend(events)], needsTail: false };

test('a refusal on remembered state is decided again where the log has moved on', async () => {
  const { give, seen, eventStore } = await start(3, 1);
  expect(await give(refusedBelow(3))).toMatchObject({ value: 'done' });
  expect(seen).toEqual([1, 3]);
  expect(eventStore.all).toHaveLength(4);
});

test('a refusal is final where the log holds nothing newer', async () => {
  const { give, seen } = await start(2, 2);
  expect(await give(refusedBelow(3))).toEqual({ value: 'refused', append: null });
  expect(seen).toEqual([2]);
});

test('a refusal on state from the log is final at once', async () => {
  const { give, seen } = await start(2, null);
  expect(await give(refusedBelow(3))).toEqual({ value: 'refused', append: null });
  expect(seen).toEqual([2]);
});

test('an append on remembered state that is old is a conflict, and decided on the log', async () => {
  const { give, seen, eventStore } = await start(3, 1);
  expect(await give(refusedBelow(1))).toMatchObject({ value: 'done' });
  expect(seen).toEqual([1, 3]);
  expect(eventStore.all).toHaveLength(4);
});
