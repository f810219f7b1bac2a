import {
  persistentSubscriptionToAllSettingsFromDefaults as allSettings,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  eventTypeFilter,
  type PersistentAction,
  PersistentSubscriptionDoesNotExistError,
  PersistentSubscriptionDroppedError,
  PersistentSubscriptionExistsError,
  PersistentSubscriptionMaximumSubscribersReachedError,
  type PersistentSubscriptionToAll,
  type PersistentSubscriptionToStream,
  START,
  persistentSubscriptionToStreamSettingsFromDefaults as streamSettings,
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

type Answer = 'ack' | 'keep' | PersistentAction;
type Subscription = PersistentSubscriptionToStream | PersistentSubscriptionToAll;

/** Reads a group and answers each event as told. */
const consume = (subscription: Subscription, answer: (n: number, retry: number) => Answer) => {
  const numbers: number[] = [];
  const errors: Error[] = [];
  subscription.on('error', (error: Error) => errors.push(error));
  subscription.on('data', (resolved: Parameters<Subscription['ack']>[0]) => {
    const n = numberOf(resolved.event);
    const { retryCount } = resolved as { retryCount?: number };
    numbers.push(n);
    const decision = answer(n, retryCount ?? 0);
    if (decision === 'ack') void subscription.ack(resolved);
    else if (decision !== 'keep') void subscription.nack(decision, 'as told', resolved);
  });
  return { numbers, errors };
};

/** A checkpoint waits for 10 events unless another number is set. */
const fromStart = { startFrom: START, checkPointAfter: 100, checkPointLowerBound: 1 } as const;

describe.each(engines())('persistent subscriptions on $name', (engine) => {
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

  const group = async (settings: Parameters<typeof streamSettings>[0] = fromStart) => {
    const stream = streamName();
    await client.createPersistentSubscriptionToStream(stream, 'g', streamSettings(settings));
    const read = (bufferSize = 10) =>
      client.subscribeToPersistentSubscriptionToStream(stream, 'g', { bufferSize });
    const info = () => client.getPersistentSubscriptionToStreamInfo(stream, 'g');
    return { stream, read, info };
  };

  test('a group delivers what is there and what comes, and remembers what is done', async () => {
    const { stream, read, info } = await group();
    await client.appendToStream(stream, manyHappened(50));
    const subscription = read();
    const seen = consume(subscription, () => 'ack');
    await eventually(() => seen.numbers.length === 50);
    await client.appendToStream(stream, manyHappened(10, 50));
    await eventually(() => seen.numbers.length === 60);
    expect(seen.numbers).toEqual(range(60));
    await eventually(async () => (await info()).stats.lastCheckpointedEventRevision === 59n);
    await subscription.unsubscribe();
    await eventually(async () => (await info()).connections.length === 0);
    await client.appendToStream(stream, happened(60));
    const again = consume(read(), () => 'ack');
    await eventually(() => again.numbers.length > 0);
    expect(again.numbers).toEqual([60]);
  });

  test('no more events are under way than the reader has room for', async () => {
    const { stream, read, info } = await group();
    await client.appendToStream(stream, manyHappened(20));
    const seen = consume(read(3), () => 'keep');
    await eventually(() => seen.numbers.length === 3);
    const { connections, stats } = await info();
    expect(connections[0]).toMatchObject({ inFlightMessages: 3, availableSlots: 0 });
    expect(stats.totalInFlightMessages).toBe(3);
    expect(seen.numbers).toEqual([0, 1, 2]);
  });

  test('an event that is to be retried comes again, until it is parked', async () => {
    const { stream, read, info } = await group({ ...fromStart, maxRetryCount: 2 });
    await client.appendToStream(stream, manyHappened(2));
    const seen = consume(read(), (n) => (n === 0 ? 'retry' : 'ack'));
    await eventually(async () => (await info()).stats.parkedMessageCount === 1n);
    expect(seen.numbers.filter((n) => n === 0)).toHaveLength(3);
    expect(seen.numbers.filter((n) => n === 1)).toHaveLength(1);
  });

  test('an event without an answer in time comes again', async () => {
    const { stream, read } = await group({ ...fromStart, messageTimeout: 200 });
    await client.appendToStream(stream, happened(7));
    const seen = consume(read(), (_, retry) => (retry === 0 ? 'keep' : 'ack'));
    await eventually(() => seen.numbers.length === 2);
    expect(seen.numbers).toEqual([7, 7]);
  });

  test('parked events are kept, and come again when replayed', async () => {
    const { stream, read, info } = await group();
    await client.appendToStream(stream, manyHappened(4));
    let isParking = true;
    const seen = consume(read(), (n) => (isParking && n % 2 === 0 ? 'park' : 'ack'));
    await eventually(async () => (await info()).stats.parkedMessageCount === 2n);
    isParking = false;
    await client.replayParkedMessagesToStream(stream, 'g');
    await eventually(() => seen.numbers.length === 6);
    expect(seen.numbers.slice(4)).toEqual([0, 2]);
    expect((await info()).stats.parkedMessageCount).toBe(0n);
  });

  test('a checkpoint waits for as many events as the group says', async () => {
    const { stream, read, info } = await group({ ...fromStart, checkPointLowerBound: 5 });
    await client.appendToStream(stream, manyHappened(4));
    const seen = consume(read(), () => 'ack');
    await eventually(() => seen.numbers.length === 4);
    // Several times the time after which a checkpoint may be written.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await info()).stats.lastCheckpointedEventRevision).toBeUndefined();
    await client.appendToStream(stream, manyHappened(4, 4));
    await eventually(async () => ((await info()).stats.lastCheckpointedEventRevision ?? -1n) >= 4n);
  });

  test('a skipped event does not come again', async () => {
    const { stream, read, info } = await group();
    await client.appendToStream(stream, manyHappened(3));
    const seen = consume(read(), () => 'skip');
    await eventually(async () => (await info()).stats.lastCheckpointedEventRevision === 2n);
    expect(seen.numbers).toEqual([0, 1, 2]);
    expect((await info()).stats.parkedMessageCount).toBe(0n);
  });

  test('readers share the events, and one that leaves hands its own on', async () => {
    const { stream, read, info } = await group();
    const one = read(5);
    const two = read(5);
    const kept = consume(one, () => 'keep');
    const taken = consume(two, () => 'ack');
    await eventually(async () => (await info()).connections.length === 2);
    await client.appendToStream(stream, manyHappened(20));
    await eventually(() => kept.numbers.length === 5 && taken.numbers.length === 15);
    await one.unsubscribe();
    await eventually(() => taken.numbers.length === 20);
    expect([...taken.numbers].sort((a, b) => a - b)).toEqual(range(20));
  });

  test('a group takes no more readers than it allows', async () => {
    const { read } = await group({ ...fromStart, maxSubscriberCount: 1 });
    const first = read();
    await new Promise((resolve) => {
      first.on('confirmation', resolve);
      first.on('data', () => undefined);
    });
    const second = consume(read(), () => 'ack');
    await eventually(() => second.errors.length === 1);
    expect(second.errors[0]).toBeInstanceOf(PersistentSubscriptionMaximumSubscribersReachedError);
  });

  test('a group is created once, changed, listed and deleted', async () => {
    const { stream, read, info } = await group();
    const create = client.createPersistentSubscriptionToStream(stream, 'g', streamSettings());
    await expect(create).rejects.toThrow(PersistentSubscriptionExistsError);
    const seen = consume(read(), () => 'ack');
    await eventually(async () => (await info()).connections.length === 1);
    await client.updatePersistentSubscriptionToStream(
      stream,
      'g',
      streamSettings({ ...fromStart, maxRetryCount: 3, consumerStrategyName: 'Pinned' }),
    );
    await eventually(() => seen.errors.length === 1);
    expect(seen.errors[0]).toBeInstanceOf(PersistentSubscriptionDroppedError);
    const { settings, status } = await info();
    expect(status).toBe('Live');
    expect(settings).toMatchObject({
      maxRetryCount: 3,
      consumerStrategyName: 'Pinned',
      startFrom: START,
    });
    const listed = await client.listPersistentSubscriptionsToStream(stream);
    expect(listed.map(({ groupName }) => groupName)).toEqual(['g']);
    const all = await client.listAllPersistentSubscriptions();
    expect(all.some(({ eventSource }) => eventSource === stream)).toBe(true);
    await client.deletePersistentSubscriptionToStream(stream, 'g');
    await expect(info()).rejects.toThrow(PersistentSubscriptionDoesNotExistError);
    const gone = client.deletePersistentSubscriptionToStream(stream, 'g');
    await expect(gone).rejects.toThrow(PersistentSubscriptionDoesNotExistError);
    const late = consume(read(), () => 'ack');
    await eventually(() => late.errors.length === 1);
    expect(late.errors[0]).toBeInstanceOf(PersistentSubscriptionDoesNotExistError);
  });

  test('a group that begins at the end sees only what comes', async () => {
    const stream = streamName();
    await client.appendToStream(stream, manyHappened(5));
    await client.createPersistentSubscriptionToStream(stream, 'g', streamSettings());
    await client.appendToStream(stream, happened(5));
    const subscription = client.subscribeToPersistentSubscriptionToStream(stream, 'g');
    const seen = consume(subscription, () => 'ack');
    await eventually(() => seen.numbers.length > 0);
    expect(seen.numbers).toEqual([5]);
  });

  // EventStoreDB keeps the settings of its groups in the log.
  test('the log says when a group was created, changed and deleted', async () => {
    const stream = '$persistentSubscriptionConfig';
    const newest = async (): Promise<bigint> => {
      const options = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;
      let revision = -1n;
      // To its end: a client whose reads were left is not disposed of.
      for await (const { event } of client.readStream(stream, options)) {
        revision = event?.revision ?? -1n;
      }
      return revision;
    };
    const name = streamName();
    await client.createPersistentSubscriptionToStream(name, 'g', streamSettings());
    const created = await newest();
    await client.updatePersistentSubscriptionToStream(name, 'g', streamSettings(fromStart));
    const updated = await newest();
    await client.deletePersistentSubscriptionToStream(name, 'g');
    const deleted = await newest();
    expect([updated > created, deleted > updated]).toEqual([true, true]);
  });

  test('a group on the whole log delivers what its filter lets through', async () => {
    const stream = streamName();
    const type = `T${stream.replaceAll('-', '')}`;
    const filter = eventTypeFilter({ prefixes: [type] });
    await client.appendToStream(stream, [happened(0, type), happened(1), happened(2, type)]);
    const settings = allSettings(fromStart);
    await client.createPersistentSubscriptionToAll(stream, settings, { filter });
    const subscription = client.subscribeToPersistentSubscriptionToAll(stream);
    const seen = consume(subscription, (n) => (n === 0 ? 'park' : 'ack'));
    await eventually(() => seen.numbers.length === 2);
    await client.appendToStream(streamName(), happened(3, type));
    await eventually(() => seen.numbers.length === 3);
    expect(seen.numbers).toEqual([0, 2, 3]);
    const info = () => client.getPersistentSubscriptionToAllInfo(stream);
    await eventually(async () => (await info()).stats.parkedMessageCount === 1n);
    await client.deletePersistentSubscriptionToAll(stream);
    await expect(info()).rejects.toThrow(PersistentSubscriptionDoesNotExistError);
  });
});
