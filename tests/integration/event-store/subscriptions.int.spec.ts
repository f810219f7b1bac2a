import {
  type AllStreamSubscription,
  END,
  type EventStoreDBClient,
  eventTypeFilter,
  excludeSystemEvents,
  START,
  StreamDeletedError,
  type StreamSubscription,
  streamNameFilter,
} from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  connect,
  engines,
  eventually,
  happened,
  manyHappened,
  numberOf,
  range,
  streamName,
} from './harness.ts';

/** What a subscription has delivered so far; failures are kept rather than thrown unhandled. */
const collect = (subscription: StreamSubscription | AllStreamSubscription) => {
  const numbers: number[] = [];
  const positions: bigint[] = [];
  const marks = { caughtUp: 0 };
  const errors: Error[] = [];
  subscription.on(
    'data',
    ({ event }: { event?: { data: unknown; position?: { commit: bigint } } }) => {
      numbers.push(numberOf(event));
      positions.push(event?.position?.commit ?? -1n);
    },
  );
  subscription.on('caughtUp', () => {
    marks.caughtUp += 1;
  });
  subscription.on('error', (error: Error) => errors.push(error));
  return { numbers, positions, marks, errors };
};

describe.each(engines())('subscriptions on $name', (engine) => {
  let client: EventStoreDBClient;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const started = await engine.start();
    stop = started.stop;
    client = connect(started.url);
  });
  afterAll(async () => {
    await client.dispose();
    await stop();
  });

  test('a stream is followed from its start into the present', async () => {
    const stream = streamName();
    await client.appendToStream(stream, manyHappened(700));
    const subscription = client.subscribeToStream(stream, { fromRevision: START });
    const seen = collect(subscription);
    await eventually(() => seen.marks.caughtUp === 1);
    await client.appendToStream(stream, manyHappened(5, 700));
    await eventually(() => seen.numbers.length >= 705);
    expect(seen.numbers).toEqual(range(705));
    expect(seen.marks.caughtUp).toBe(1);
    await subscription.unsubscribe();
  });

  test('a stream is followed from after a revision, from its end, and before it exists', async () => {
    const [stream, later] = [streamName(), streamName()];
    await client.appendToStream(stream, manyHappened(3));
    const after = client.subscribeToStream(stream, { fromRevision: 0n });
    const fromEnd = client.subscribeToStream(stream, { fromRevision: END });
    const early = client.subscribeToStream(later);
    const [seenAfter, seenEnd, seenEarly] = [collect(after), collect(fromEnd), collect(early)];
    // Only newer servers report caught up, and from the end none does: there was nothing to catch
    // up with. So events are written until the subscription from the end has been found to be
    // there.
    let last = 2;
    await eventually(async () => {
      last += 1;
      await client.appendToStream(stream, happened(last));
      return seenEnd.numbers.length > 0;
    });
    await client.appendToStream(later, happened(0));
    await eventually(() => [seenAfter, seenEnd].every(({ numbers }) => numbers.at(-1) === last));
    await eventually(() => seenEarly.numbers.length === 1);
    const first = seenEnd.numbers[0] ?? 0;
    expect(first).toBeGreaterThan(2);
    expect(seenEnd.numbers).toEqual(range(last - first + 1, first));
    expect(seenAfter.numbers).toEqual(range(last, 1));
    await Promise.all([after, fromEnd, early].map((one) => one.unsubscribe()));
  });

  test('following a closed stream fails, at once or when it is closed', async () => {
    const stream = streamName();
    await client.appendToStream(stream, happened(0));
    const live = client.subscribeToStream(stream);
    const seen = collect(live);
    await eventually(() => seen.marks.caughtUp === 1);
    await client.tombstoneStream(stream);
    await eventually(() => seen.errors.length === 1);
    const late = collect(client.subscribeToStream(stream));
    await eventually(() => late.errors.length === 1);
    expect(seen.errors[0]).toBeInstanceOf(StreamDeletedError);
    expect(late.errors[0]).toBeInstanceOf(StreamDeletedError);
  });

  // Read from the beginning of this test on, because a named node may hold any number of events;
  // subscribed at once, because a subscription that is not read falls behind; and given time for as
  // long as more arrives.
  test('the whole log is followed under many writers without a gap or a repeat', async () => {
    const prefix = streamName();
    const { position } = await client.appendToStream(`${prefix}-first`, happened(-1));
    if (position === undefined) throw new Error('no position');
    const filter = streamNameFilter({ prefixes: [prefix] });
    let isWriting = true;
    const written: number[] = [];
    const writers = range(8).map(async (writer) => {
      for (let n = 0; isWriting; n += 1) {
        await client.appendToStream(`${prefix}-${writer}`, happened(writer * 1_000_000 + n));
        written.push(writer * 1_000_000 + n);
      }
    });
    const subscriptions: AllStreamSubscription[] = [];
    const all: ReturnType<typeof collect>[] = [];
    for (const count of range(4)) {
      await eventually(
        () => written.length > count * 200,
        () => written.length,
      );
      const subscription = client.subscribeToAll({ fromPosition: position, filter });
      subscriptions.push(subscription);
      all.push(collect(subscription));
    }
    await eventually(
      () => written.length > 1_500,
      () => written.length,
    );
    isWriting = false;
    await Promise.all(writers);
    const delivered = () => all.reduce((sum, { numbers }) => sum + numbers.length, 0);
    await eventually(() => all.every(({ numbers }) => numbers.length >= written.length), delivered);
    for (const { numbers, positions } of all) {
      expect(positions).toEqual([...positions].sort((a, b) => (a < b ? -1 : 1)));
      expect(new Set(numbers).size).toBe(numbers.length);
      expect([...numbers].sort()).toEqual([...written].sort());
    }
    await Promise.all(subscriptions.map((one) => one.unsubscribe()));
  });

  test('a subscription to the whole log begins after the position it names', async () => {
    const stream = streamName();
    const { position } = await client.appendToStream(stream, happened(0));
    await client.appendToStream(stream, happened(1));
    if (position === undefined) throw new Error('no position');
    const subscription = client.subscribeToAll({
      fromPosition: position,
      filter: streamNameFilter({ prefixes: [stream] }),
    });
    const seen = collect(subscription);
    await eventually(() => seen.numbers.length > 0);
    expect(seen.numbers).toEqual([1]);
    await subscription.unsubscribe();
  });

  test.each([
    [
      'prefixes of types',
      (mark: string) => eventTypeFilter({ prefixes: [`${mark}A`, `${mark}B`] }),
    ],
    ['an expression over types', (mark: string) => eventTypeFilter({ regex: `^${mark}[AB]$` })],
  ])('a filter by %s lets through what it names', async (_, filter) => {
    const stream = streamName();
    const mark = stream.replaceAll('-', '');
    const types = ['A', 'B', 'C', 'A'].map((letter) => `${mark}${letter}`);
    await client.appendToStream(
      stream,
      types.map((type, index) => happened(index, type)),
    );
    const subscription = client.subscribeToAll({ filter: filter(mark) });
    const seen = collect(subscription);
    await eventually(() => seen.numbers.length === 3);
    await client.appendToStream(stream, [happened(4, `${mark}C`), happened(5, `${mark}B`)]);
    await eventually(() => seen.numbers.length === 4);
    expect(seen.numbers).toEqual([0, 1, 3, 5]);
    await subscription.unsubscribe();
  });

  test('a filter by an expression over stream names lets through what it matches', async () => {
    const stream = streamName();
    await client.appendToStream(`${stream}-odd`, happened(1));
    await client.appendToStream(`${stream}-even`, happened(2));
    const filter = streamNameFilter({ regex: `^${stream}-(even)$` });
    const subscription = client.subscribeToAll({ filter });
    const seen = collect(subscription);
    await eventually(() => seen.numbers.length > 0);
    expect(seen.numbers).toEqual([2]);
    await subscription.unsubscribe();
  });

  // A checkpoint follows after `maxSearchWindow` times `checkpointInterval` filtered events. A
  // position is compared with that of another event: on EventStoreDB it counts bytes.
  test('a filter that lets nothing through still reports its progress', async () => {
    const stream = streamName();
    const first = await client.appendToStream(stream, happened(0));
    const { position } = await client.appendToStream(stream, manyHappened(200, 1));
    await client.appendToStream(stream, manyHappened(50, 201));
    const checkpoints: bigint[] = [];
    const subscription = client.subscribeToAll({
      ...(first.position === undefined ? {} : { fromPosition: first.position }),
      filter: streamNameFilter({
        prefixes: ['no-stream-has-this-name'],
        maxSearchWindow: 10,
        checkpointInterval: 2,
        checkpointReached: (_, place) => {
          checkpoints.push(place.commit);
        },
      }),
    });
    const seen = collect(subscription);
    await eventually(() => (checkpoints.at(-1) ?? 0n) >= (position?.commit ?? 0n));
    expect(checkpoints.length).toBeGreaterThan(4);
    expect(seen.numbers).toEqual([]);
    await subscription.unsubscribe();
  });

  test('an expression that is none is refused', async () => {
    const seen = collect(client.subscribeToAll({ filter: eventTypeFilter({ regex: '([' }) }));
    await eventually(() => seen.errors.length === 1);
    expect(seen.numbers).toEqual([]);
  });

  test('system events can be left out', async () => {
    const stream = streamName();
    await client.setStreamMetadata(stream, { maxCount: 5 });
    await client.appendToStream(stream, happened(1));
    const types: string[] = [];
    const subscription = client.subscribeToAll({ filter: excludeSystemEvents() });
    let isLive = false;
    subscription.on('caughtUp', () => {
      isLive = true;
    });
    subscription.on('data', ({ event }) => types.push(event?.type ?? ''));
    await eventually(() => isLive);
    expect(types.filter((type) => type.startsWith('$'))).toEqual([]);
    expect(types.length).toBeGreaterThan(0);
    await subscription.unsubscribe();
  });

  test('a reader who takes his time gets everything in the end', async () => {
    const stream = streamName();
    for (const part of range(5)) {
      await client.appendToStream(stream, manyHappened(800, part * 800));
    }
    const numbers: number[] = [];
    const subscription = client.subscribeToStream(stream);
    for await (const { event } of subscription) {
      numbers.push(numberOf(event));
      if (numbers.length % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
      if (numbers.length === 4_000) break;
    }
    expect(numbers).toEqual(range(4_000));
  });
});
