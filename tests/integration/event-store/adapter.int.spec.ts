import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEventStore } from '../../../infra/event-store/create-event-store.ts';
import { type EventStore, WrongExpectedRevisionError } from '../../../infra/ports/event-store.ts';
import {
  type Engine,
  engines,
  eventually,
  openLocalLog,
  quiet,
  range,
  startTestNode,
  streamName,
} from './harness.ts';
import { all, follow, happenings, metadata, numberOf } from './port.ts';

/** A store for all tests of the port. */
type Opener = Readonly<{
  name: string;
  open: () => Promise<Readonly<{ store: EventStore; stop: () => Promise<void> }>>;
}>;

const overClient = ({ name, start }: Engine): Opener => ({
  name,
  open: async () => {
    const { url, stop } = await start();
    return { store: createEventStore({ url, logger: quiet }), stop };
  },
});

/** Everything below holds on a port as well. */
const onSocket: Engine = {
  name: 'the embedded node behind a unix socket',
  start: () => startTestNode({ onSocket: true }),
};
/** As the product has it for tools. */
const onDemand: Engine = { name: 'a log that another process serves', start: openLocalLog };
/** As the product has it. */
const inProcess: Opener = { name: 'a log of this process', open: openLocalLog };

describe.each([...[...engines(), onSocket, onDemand].map(overClient), inProcess])(
  'the event store port on $name',
  ({ open }) => {
    let store: EventStore;
    let stop: () => Promise<void>;

    beforeAll(async () => {
      ({ store, stop } = await open());
    });
    afterAll(async () => {
      await store.close();
      await stop();
    });

    test('an event is read as it was appended, with its place', async () => {
      const stream = streamName();
      const [first, second] = happenings(2);
      if (first === undefined || second === undefined) throw new Error('no events');
      const result = await store.append(stream, [first, second], 'no-stream');
      expect(result.revision).toBe(1n);
      const [, read] = await all(store.readStream(stream));
      expect(read).toEqual({
        event: second.event,
        eventId: second.eventId,
        streamId: stream,
        revision: 1n,
        position: result.position,
        metadata: { ...metadata, schemaVersion: 1 },
      });
      expect(await store.head()).toBe(result.position);
    });

    test('appending behind the stream is refused, the same events again are not', async () => {
      const stream = streamName();
      const events = happenings(2);
      const first = await store.append(stream, events, 'no-stream');
      expect(await store.append(stream, events, 'no-stream')).toEqual(first);
      const behind = store.append(stream, happenings(1), 0n);
      await expect(behind).rejects.toThrow(WrongExpectedRevisionError);
      await store.append(stream, happenings(1, 2), 1n);
      await store.append(stream, happenings(1, 3), 'stream-exists');
      await store.append(stream, happenings(1, 4), 'any');
      expect((await all(store.readStream(stream))).map(numberOf)).toEqual(range(5));
    });

    test('a stream is read from a revision, backwards, and up to a count; a missing one is empty', async () => {
      const stream = streamName();
      await store.append(stream, happenings(600), 'no-stream');
      const read = async (options: Parameters<EventStore['readStream']>[1]) =>
        (await all(store.readStream(stream, options))).map(numberOf);
      expect(await read({})).toEqual(range(600));
      expect(await read({ from: 597n })).toEqual([597, 598, 599]);
      expect(await read({ from: 3n, maxCount: 2 })).toEqual([3, 4]);
      expect(await read({ backwards: true, maxCount: 2 })).toEqual([599, 598]);
      expect(await read({ backwards: true, from: 1n })).toEqual([1, 0]);
      expect(await all(store.readStream(streamName()))).toEqual([]);
    });

    test('a read that is left early leaves the connection in order', async () => {
      const stream = streamName();
      await store.append(stream, happenings(1_000), 'no-stream');
      for (const _ of range(20)) {
        for await (const recorded of store.readStream(stream)) {
          expect(numberOf(recorded)).toBe(0);
          break;
        }
      }
      expect(await all(store.readStream(stream))).toHaveLength(1_000);
    });

    test('the whole log is read after a position, without what the store writes itself', async () => {
      const stream = streamName();
      const before = (await store.append(stream, happenings(1), 'no-stream')).position;
      await store.boundStream(stream, { maxCount: 100 });
      await store.append(stream, happenings(3, 1), 'any');
      const read = await all(store.readAll({ after: before }));
      expect(read.map(numberOf)).toEqual([1, 2, 3]);
      const [second] = await all(store.readAll({ after: before, maxCount: 1 }));
      expect(second?.position).toBe(read[0]?.position);
    });

    test('the whole log is read from the place of an event, with it', async () => {
      const stream = streamName();
      const first = (await store.append(stream, happenings(1), 'no-stream')).position;
      await store.append(stream, happenings(2, 1), 'any');
      const read = await all(store.readAll({ from: first }));
      expect(read.map(numberOf)).toEqual([0, 1, 2]);
      const [found] = await all(store.readAll({ from: first, maxCount: 1 }));
      expect(found?.position).toBe(first);
      const last = read.at(-1)?.position ?? 0n;
      expect(await all(store.readAll({ from: last + 1n }))).toEqual([]);
    });

    test('the head does not count what the store writes itself', async () => {
      const stream = streamName();
      const { position } = await store.append(stream, happenings(1), 'no-stream');
      for (const n of range(70)) await store.boundStream(stream, { maxCount: 100 + n });
      expect(await store.head()).toBe(position);
    });

    test('a bound stream keeps its newest events, and binding it again changes nothing', async () => {
      const stream = streamName();
      await store.append(stream, happenings(5), 'no-stream');
      await store.boundStream(stream, { maxCount: 2 });
      await store.boundStream(stream, { maxCount: 2 });
      expect((await all(store.readStream(stream))).map(numberOf)).toEqual([3, 4]);
    });

    test('a stream that was ended is empty, and cannot be begun again', async () => {
      const stream = streamName();
      await store.append(stream, happenings(2), 'no-stream');
      await store.tombstoneStream(stream);
      await store.tombstoneStream(stream);
      expect(await all(store.readStream(stream))).toEqual([]);
      expect(await all(store.readStream(stream, { maxCount: 1, backwards: true }))).toEqual([]);
      const again = store.append(stream, happenings(1, 9), 'no-stream');
      await expect(again).rejects.toThrow(WrongExpectedRevisionError);
    });

    test('a subscription marks each time that it has delivered everything', async () => {
      const stream = streamName();
      const { position } = await store.append(stream, happenings(3), 'no-stream');
      const fromHere = follow(store, position);
      await eventually(() => fromHere.marks.length === 1);
      await store.append(stream, happenings(2, 3), 'any');
      await eventually(() => fromHere.marks.at(-1) === 2);
      expect(fromHere.seen.map(numberOf)).toEqual([3, 4]);
      const fromStart = follow(store, null);
      await eventually(() => fromStart.marks.length > 0);
      expect(fromStart.seen.at(-1)?.position).toBe(await store.head());
      await Promise.all([fromHere.stop(), fromStart.stop()]);
    });
  },
);
