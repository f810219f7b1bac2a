import { randomUUID } from 'node:crypto';
import {
  ANY,
  binaryEvent,
  type EventStoreDBClient,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  STREAM_EXISTS,
  StreamDeletedError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  connect,
  engines,
  happened,
  manyHappened,
  numbersIn,
  range,
  streamName,
} from './harness.ts';

describe.each(engines())('appends on $name', (engine) => {
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

  test('an event is returned as it was appended, byte for byte', async () => {
    const stream = `test-日本-${randomUUID()}`;
    const id = randomUUID();
    const data = { text: 'größe “quotes” \u0000 🎈', nested: { list: [1, 2.5, null] } };
    await client.appendToStream(
      stream,
      jsonEvent({ id, type: 'Ünïcode', data, metadata: { who: 'me' } }),
    );
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    await client.appendToStream(stream, binaryEvent({ type: 'Bytes', data: bytes }));
    const events = [];
    for await (const { event } of client.readStream(stream)) events.push(event);
    expect(events[0]).toMatchObject({
      id,
      streamId: stream,
      type: 'Ünïcode',
      data,
      metadata: { who: 'me' },
      isJson: true,
      revision: 0n,
    });
    expect(Math.abs(Date.now() - (events[0]?.created.getTime() ?? 0))).toBeLessThan(60_000);
    expect(events[1]?.isJson).toBe(false);
    expect(Buffer.from(events[1]?.data as Uint8Array)).toEqual(Buffer.from(bytes));
  });

  test('no stream is what a first append may expect, and a second may not', async () => {
    const stream = streamName();
    const first = await client.appendToStream(stream, happened(1), { expectedRevision: NO_STREAM });
    expect(first).toMatchObject({ success: true, nextExpectedRevision: 0n });
    const second = client.appendToStream(stream, happened(2), { expectedRevision: NO_STREAM });
    await expect(second).rejects.toMatchObject({
      type: 'wrong-expected-version',
      streamName: stream,
      expectedVersion: 'no_stream',
      actualVersion: 0n,
    });
  });

  test('an exact revision must be the current one, neither behind nor ahead', async () => {
    const stream = streamName();
    await client.appendToStream(stream, manyHappened(3), { expectedRevision: NO_STREAM });
    const on = (expectedRevision: bigint) =>
      client.appendToStream(stream, happened(9), { expectedRevision });
    await expect(on(1n)).rejects.toThrow(WrongExpectedVersionError);
    await expect(on(3n)).rejects.toThrow(WrongExpectedVersionError);
    await expect(on(2n)).resolves.toMatchObject({ nextExpectedRevision: 3n });
    await expect(
      client.appendToStream(streamName(), happened(1), { expectedRevision: 0n }),
    ).rejects.toMatchObject({ actualVersion: 'no_stream', expectedVersion: 0n });
  });

  test('a stream that must exist does not when it was never written', async () => {
    const stream = streamName();
    const append = () =>
      client.appendToStream(stream, happened(1), { expectedRevision: STREAM_EXISTS });
    await expect(append()).rejects.toThrow(WrongExpectedVersionError);
    await client.appendToStream(stream, happened(0), { expectedRevision: ANY });
    await expect(append()).resolves.toMatchObject({ nextExpectedRevision: 1n });
  });

  test('metadata alone lets a stream count as existing', async () => {
    const stream = streamName();
    await client.setStreamMetadata(stream, { maxCount: 5 });
    const append = client.appendToStream(stream, happened(1), { expectedRevision: STREAM_EXISTS });
    await expect(append).resolves.toMatchObject({ nextExpectedRevision: 0n });
  });

  test.each([
    ['any', ANY],
    ['no stream', NO_STREAM],
  ] as const)(
    'the same events appended twice, expecting %s, are stored once',
    async (_, expected) => {
      const stream = streamName();
      const events = manyHappened(3);
      const first = await client.appendToStream(stream, events, { expectedRevision: expected });
      await client.appendToStream(stream, happened(99));
      const second = await client.appendToStream(stream, events, { expectedRevision: expected });
      expect(second).toEqual(first);
      expect(await numbersIn(client, stream)).toEqual([0, 1, 2, 99]);
    },
  );

  test('the same events appended twice at an exact revision are stored once', async () => {
    const stream = streamName();
    await client.appendToStream(stream, happened(0));
    const events = manyHappened(2, 1);
    const first = await client.appendToStream(stream, events, { expectedRevision: 0n });
    const second = await client.appendToStream(stream, events, { expectedRevision: 0n });
    expect(second).toEqual(first);
    expect(await numbersIn(client, stream)).toEqual([0, 1, 2]);
  });

  test('a repeat that goes beyond what was stored is refused', async () => {
    const stream = streamName();
    const events = manyHappened(2);
    await client.appendToStream(stream, events, { expectedRevision: NO_STREAM });
    const longer = [...events, happened(2)];
    for (const expectedRevision of [ANY, NO_STREAM] as const) {
      await expect(client.appendToStream(stream, longer, { expectedRevision })).rejects.toThrow(
        WrongExpectedVersionError,
      );
    }
    expect(await numbersIn(client, stream)).toEqual([0, 1]);
  });

  test('the same event id in two streams is two events', async () => {
    const event = happened(1);
    const [one, two] = [streamName(), streamName()];
    await client.appendToStream(one, event);
    await client.appendToStream(two, event);
    expect(await numbersIn(client, two)).toEqual([1]);
  });

  test('an append is stored whole or not at all, and in one piece among others', async () => {
    const stream = streamName();
    const writers = range(8).map((writer) =>
      client.appendToStream(stream, manyHappened(50, writer * 50)),
    );
    await Promise.all(writers);
    const numbers = await numbersIn(client, stream);
    expect(numbers).toHaveLength(400);
    for (const start of range(8)) {
      const [first = 0] = numbers.slice(start * 50);
      expect(numbers.slice(start * 50, start * 50 + 50)).toEqual(range(50, first));
    }
  });

  test('one of many who append at the same revision wins', async () => {
    const stream = streamName();
    const attempts = await Promise.allSettled(
      range(20).map((n) =>
        client.appendToStream(stream, happened(n), { expectedRevision: NO_STREAM }),
      ),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await numbersIn(client, stream)).toHaveLength(1);
  });

  test('an append larger than the limit is refused, and the next one goes through', async () => {
    const stream = streamName();
    const large = jsonEvent({ type: 'Large', data: { text: 'x'.repeat(1_100_000) } });
    await expect(client.appendToStream(stream, large)).rejects.toThrow(MaxAppendSizeExceededError);
    await expect(client.appendToStream(stream, happened(1))).resolves.toMatchObject({
      nextExpectedRevision: 0n,
    });
  });

  // The client sends more than 3 MiB in several messages; the server answers late ones before the last.
  const longAppend = (): ReturnType<typeof jsonEvent>[] =>
    range(8).map((n) => jsonEvent({ type: 'Large', data: { n, text: 'x'.repeat(1_000_000) } }));

  test('an append that is late in several parts is refused as late, and its neighbours go through', async () => {
    const small = (n: number) => client.appendToStream(streamName(), happened(n));
    const late = (deadline: number) =>
      client.appendToStream(streamName(), longAppend(), { deadline });
    const [lates, smalls] = await Promise.all([
      Promise.allSettled([late(1), late(1), late(1)]),
      Promise.allSettled(range(60).map(small)),
    ]);
    expect(smalls.filter(({ status }) => status === 'rejected')).toEqual([]);
    for (const result of lates) {
      expect(result).toMatchObject({ status: 'rejected', reason: { type: 'deadline-exceeded' } });
    }
    await expect(small(1)).resolves.toMatchObject({ nextExpectedRevision: 0n });
  });

  test('with credentials, the older way of appending obeys the same rules', async () => {
    const stream = streamName();
    const credentials = { username: 'admin', password: 'changeit' };
    const options = { credentials, expectedRevision: NO_STREAM } as const;
    const events = manyHappened(2);
    const first = await client.appendToStream(stream, events, options);
    expect(first.nextExpectedRevision).toBe(1n);
    expect(await client.appendToStream(stream, events, options)).toEqual(first);
    await expect(client.appendToStream(stream, happened(3), options)).rejects.toMatchObject({
      type: 'wrong-expected-version',
      actualVersion: 1n,
    });
    await client.tombstoneStream(stream);
    await expect(client.appendToStream(stream, happened(3), { credentials })).rejects.toThrow(
      StreamDeletedError,
    );
  });
});
