import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEventStore } from '../../../infra/event-store/create-event-store.ts';
import type { EventStore } from '../../../infra/ports/event-store.ts';
import {
  eventually,
  type LocalLog,
  openLocalLog,
  quiet,
  range,
  startTestNode,
  streamName,
  type TestNode,
} from './harness.ts';
import { aHappening, all, follow, happenings, numberOf } from './port.ts';

/** Every append goes through once, and a subscription misses and repeats nothing, whatever `interrupt` does. */
const keepsAppending = async (store: EventStore, interrupt: () => Promise<void>): Promise<void> => {
  const stream = streamName();
  const following = follow(store, null);
  let appended = 0;
  let isWriting = true;
  const writers = range(8).map(async (writer) => {
    let revision: bigint | 'no-stream' = 'no-stream';
    for (let n = 0; isWriting; n += 1) {
      const event = aHappening(writer * 100_000 + n);
      revision = (await store.append(`${stream}-${writer}`, [event], revision)).revision;
      appended += 1;
    }
  });
  for (const _ of range(3)) {
    const before = appended;
    await eventually(() => appended > before + 200);
    await interrupt();
  }
  const before = appended;
  await eventually(() => appended > before + 200);
  isWriting = false;
  await Promise.all(writers);
  await eventually(() => following.seen.length >= appended);
  await following.stop();
  const positions = following.seen.map(({ position }) => position);
  expect(new Set(positions).size).toBe(appended);
  expect(positions).toEqual([...positions].sort((a, b) => (a < b ? -1 : 1)));
  for (const writer of range(8)) {
    const numbers = (await all(store.readStream(`${stream}-${writer}`))).map(numberOf);
    expect(numbers).toEqual(range(numbers.length, writer * 100_000));
  }
};

describe('the event store port, while the embedded node is killed and started again', () => {
  let node: TestNode;
  let store: EventStore;

  beforeAll(async () => {
    node = await startTestNode({ onSocket: true });
    store = createEventStore({ url: node.url, logger: quiet });
  });
  afterAll(async () => {
    await store.close();
    await node.stop();
  });

  test('every append goes through once, and a subscription misses and repeats nothing', () =>
    keepsAppending(store, async () => {
      await node.kill();
      await node.start();
    }));

  test('a read continues where the connection broke', async () => {
    const stream = streamName();
    for (const part of range(10)) {
      await store.append(stream, happenings(500, part * 500), 'any');
    }
    const numbers: number[] = [];
    for await (const recorded of store.readStream(stream)) {
      numbers.push(numberOf(recorded));
      if (numbers.length === 600) {
        await node.kill();
        await node.start();
      }
    }
    expect(numbers).toEqual(range(5_000));
  });

  test('an append waits for a node that is away, for a while', async () => {
    const stream = streamName();
    await node.kill();
    const append = store.append(stream, happenings(1), 'no-stream');
    await node.start();
    await expect(append).resolves.toMatchObject({ revision: 0n });
  });
});

describe('the event store port, while the database of its log is away', () => {
  let log: LocalLog;

  beforeAll(async () => {
    log = await openLocalLog();
  });
  afterAll(() => log.stop());

  test('every append goes through once, and a subscription misses and repeats nothing', () =>
    keepsAppending(log.store, () => log.restartDatabase()));

  test('a read continues where the connection broke', async () => {
    const stream = streamName();
    for (const part of range(10)) {
      await log.store.append(stream, happenings(500, part * 500), 'any');
    }
    const numbers: number[] = [];
    for await (const recorded of log.store.readStream(stream)) {
      numbers.push(numberOf(recorded));
      if (numbers.length === 600) await log.restartDatabase();
    }
    expect(numbers).toEqual(range(5_000));
  });
});
