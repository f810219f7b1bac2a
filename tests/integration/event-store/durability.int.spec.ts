import { setTimeout as sleep } from 'node:timers/promises';
import {
  type EventStoreDBClient,
  START,
  persistentSubscriptionToStreamSettingsFromDefaults as settings,
} from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEventStoreNode } from '../../../infra/embedded/event-store/start-event-store-node.ts';
import { createPool } from '../../../infra/postgres/create-database.ts';
import {
  connect,
  eventually,
  happened,
  manyHappened,
  numberOf,
  numbersIn,
  quiet,
  range,
  startTestNode,
  streamName,
  type TestNode,
} from './harness.ts';

describe('the embedded node, killed', () => {
  let node: TestNode;
  let client: EventStoreDBClient;

  beforeAll(async () => {
    node = await startTestNode();
    client = connect(node.url);
  });
  afterAll(async () => {
    await client.dispose();
    await node.stop();
  });

  /** The same client, once it has found the node again. */
  const reconnect = () =>
    eventually(() =>
      client.appendToStream(streamName(), happened(0)).then(
        () => true,
        () => false,
      ),
    );

  test('in the middle of 32 writers, it loses nothing that it acknowledged', async () => {
    const prefix = streamName();
    const acknowledged = new Map<number, bigint>();
    let isKilled = false;
    const writers = range(32).map(async (writer) => {
      for (let n = 0; !isKilled; n += 1) {
        const number = writer * 100_000 + n;
        const done = await client.appendToStream(`${prefix}-${writer}`, happened(number)).then(
          ({ position }) => position?.commit ?? 0n,
          () => null,
        );
        if (done === null) return;
        acknowledged.set(number, done);
      }
    });
    await eventually(() => acknowledged.size > 1_500);
    await node.kill();
    isKilled = true;
    await Promise.all(writers);
    await node.start();
    await reconnect();
    const stored = new Map<number, bigint>();
    const positions: bigint[] = [];
    for await (const { event } of client.readAll({ fromPosition: START })) {
      positions.push(event?.position?.commit ?? 0n);
      if (event?.streamId.startsWith(prefix)) {
        stored.set(numberOf(event), event.position?.commit ?? 0n);
      }
    }
    for (const [number, position] of acknowledged) expect(stored.get(number)).toBe(position);
    expect(positions).toEqual(positions.map((_, index) => BigInt(index + 1)));
    for (const writer of range(32)) {
      const numbers = await numbersIn(client, `${prefix}-${writer}`).catch(() => []);
      expect(numbers).toEqual(range(numbers.length, writer * 100_000));
    }
  });

  test('and started again, it recognises repeated earlier appends', async () => {
    const stream = streamName();
    const events = manyHappened(3);
    const first = await client.appendToStream(stream, events);
    await node.kill();
    await node.start();
    await reconnect();
    expect(await client.appendToStream(stream, events)).toEqual(first);
    expect(await numbersIn(client, stream)).toEqual([0, 1, 2]);
  });

  test('a second node on the same log is turned away', async () => {
    const second = startEventStoreNode({
      databaseUrl: node.postgres.url('events'),
      endpoint: { host: '127.0.0.1', port: 0 },
      logger: quiet,
    });
    await expect(second).rejects.toThrow('another process writes this event log');
  });

  test('when its database connections break, it reopens the log and continues', async () => {
    const stream = streamName();
    const pool = createPool({ url: node.postgres.url('postgres'), applicationName: 'test' });
    let isWriting = true;
    let count = 0;
    const writer = (async () => {
      while (isWriting) {
        await client.appendToStream(stream, happened(count), { deadline: 30_000 });
        count += 1;
      }
    })();
    await eventually(() => count > 20);
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1`,
      ['event-store writer'],
    );
    const before = count;
    await eventually(() => count > before + 20);
    isWriting = false;
    await writer;
    await pool.end();
    expect(await numbersIn(client, stream)).toEqual(range(count));
  });

  test('a persistent subscription ends with UNIMPLEMENTED', async () => {
    const create = client.createPersistentSubscriptionToStream(streamName(), 'group', settings());
    await expect(create).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
  });

  test('a stopping node answers every append that is open', async () => {
    const open = range(200).map((n) => client.appendToStream(streamName(), happened(n)));
    await sleep(0);
    const answered = Promise.allSettled(open);
    await node.kill();
    expect(await answered).toHaveLength(200);
    await node.start();
    await reconnect();
  });
});
