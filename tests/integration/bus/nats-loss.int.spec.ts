import { randomUUID } from 'node:crypto';
import { connect, type NatsConnection } from 'nats';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createNatsBus } from '../../../infra/bus/nats/create-nats-bus.ts';
import type { Bus } from '../../../infra/ports/bus.ts';
import { findNatsServer, type NatsServer, type NatsStore } from '../../support/nats-server.ts';
import { silentLogger } from '../../support/silent-logger.ts';

/* A server that forgot a part of what it had acknowledged, or all of it. */

const available = await findNatsServer();
const patience = { timeout: 30_000, interval: 20 };
const { start } = available;

if (start === null) {
  test.skip(`what NATS loses (left out: ${available.reason})`, () => undefined);
} else {
  const namespace = `spec-${randomUUID().slice(0, 8)}`;
  let server: NatsServer;
  let buses: Bus[];
  let raw: NatsConnection | null;

  beforeEach(async () => {
    server = await start();
    buses = [];
    raw = null;
  });
  afterEach(async () => {
    await raw?.close();
    await Promise.all(buses.map((bus) => bus.close()));
    await server.stop();
  });

  const joined = async (creates = true): Promise<Bus> => {
    const bus = await createNatsBus({
      url: server.url,
      logger: silentLogger,
      name: 'spec',
      namespace,
      creates,
      ...(creates ? { provides: { queues: ['usage'] } } : {}),
    });
    buses.push(bus);
    return bus;
  };
  const storeOf = (): NatsStore => server.store ?? expect.unreachable('the store is ours');
  /** One message for each; the tens name the partition. */
  const publish = async (bus: Bus, items: readonly number[]): Promise<void> => {
    for (const item of items) {
      const partition = Math.floor(item / 10);
      await vi.waitFor(() => bus.queue<number>('usage').publish(partition, [item]), patience);
    }
  };
  const reading = async (bus: Bus, partitions: readonly number[]) => {
    // A repeat is allowed; the first arrival of each item keeps the order of its partition.
    const arrived = new Set<number>();
    const stop = await bus.queue<number>('usage').consume(partitions, async (items) => {
      for (const item of items) arrived.add(item);
    });
    const ofPartition = (partition: number): number[] =>
      [...arrived].filter((n) => Math.floor(n / 10) === partition);
    const sees = (partition: number, items: readonly number[]) =>
      vi.waitFor(() => expect(ofPartition(partition)).toEqual(items), patience);
    /** What was acknowledged just before the state was kept may be delivered once more. */
    const endsWith = (partition: number, items: readonly number[]) =>
      vi.waitFor(
        () => expect(ofPartition(partition).slice(-items.length)).toEqual(items),
        patience,
      );
    return { sees, endsWith, stop };
  };
  const manager = async () => {
    raw ??= await connect({ servers: server.url });
    return raw.jetstreamManager();
  };

  describe.skipIf(process.env.TEST_NATS_URL)('usage is consumed without a gap', () => {
    test('when the server restarts with the state before this keeper took the partition', async () => {
      const [relay, earlier] = [await joined(false), await joined()];
      const before = await reading(earlier, [1, 2]);
      await publish(relay, [10]);
      await before.sees(1, [10]);
      await storeOf().keep();
      await before.stop();
      const keeper = await reading(await joined(), [1, 2]);
      await publish(relay, [11, 20]);
      await keeper.sees(2, [20]);
      await storeOf().putBack();
      await publish(relay, [12, 21]);
      await keeper.sees(2, [20, 21]);
      await publish(relay, [13]);
      await keeper.endsWith(1, [11, 12, 13]);
    });

    test('when the server restarts with fewer messages than it had acknowledged', async () => {
      const [relay, bus] = [await joined(false), await joined()];
      const keeper = await reading(bus, [1]);
      await publish(relay, [10, 11, 12]);
      await keeper.sees(1, [10, 11, 12]);
      await storeOf().keep();
      await publish(relay, [13, 14, 15, 16]);
      await keeper.sees(1, [10, 11, 12, 13, 14, 15, 16]);
      await storeOf().putBack();
      await publish(relay, [17, 18]);
      await keeper.sees(1, [10, 11, 12, 13, 14, 15, 16, 17, 18]);
    });

    test('when the server restarts empty', async () => {
      const [relay, bus] = [await joined(false), await joined()];
      const keeper = await reading(bus, [1, 2]);
      await publish(relay, [10]);
      await keeper.sees(1, [10]);
      await storeOf().putBack();
      await publish(relay, [11, 20]);
      await keeper.sees(1, [10, 11]);
      await keeper.sees(2, [20]);
    });

    test('when a consumer or the stream is deleted and no connection breaks', async () => {
      const [relay, bus] = [await joined(false), await joined()];
      const keeper = await reading(bus, [1, 2]);
      await publish(relay, [10]);
      await keeper.sees(1, [10]);
      const { consumers, streams } = await manager();
      await consumers.delete(`${namespace}-usage`, 'partition-1');
      await publish(relay, [11]);
      await keeper.sees(1, [10, 11]);
      await streams.delete(`${namespace}-usage`);
      await publish(relay, [12, 20]);
      await keeper.sees(1, [10, 11, 12]);
      await keeper.sees(2, [20]);
    });

    test('when a handler ends after the number of its message went to another one', async () => {
      const [relay, bus] = [await joined(false), await joined()];
      const handled = new Set<number>();
      let finish: () => void = () => undefined;
      const finished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const begun: number[] = [];
      await bus.queue<number>('usage').consume([1], async (items) => {
        begun.push(...items);
        if (items.includes(10)) await finished;
        for (const item of items) handled.add(item);
      });
      await storeOf().keep();
      await publish(relay, [10]);
      await vi.waitFor(() => expect(begun).toEqual([10]), patience);
      await storeOf().putBack();
      await publish(relay, [11]);
      finish();
      await vi.waitFor(() => expect([...handled]).toEqual([10, 11]), patience);
    });

    test('when the store of values is deleted and no connection breaks', async () => {
      const bus = await joined();
      const owners = bus.keyValue('owners', { ttlSeconds: 60 });
      expect(await owners.create('1', 'a')).toBe(true);
      const { streams } = await manager();
      await streams.delete(`KV_${namespace}-kv-owners`);
      expect(await owners.get('1')).toBeNull();
      expect(await owners.create('1', 'b')).toBe(true);
      expect(await owners.get('1')).toBe('b');
    });
  });

  describe.skipIf(process.env.TEST_NATS_URL)('feeds are put again', () => {
    const entry = (key: string, position: bigint) => ({
      key,
      position,
      value: { position: `${position}` },
    });
    /** A publisher that can publish the whole state, as projections can. */
    const publishing = async () => {
      const bus = await joined();
      const state = new Map<string, bigint>();
      const feed = bus.feed('tokens');
      bus.onFeedLoss(async (name) => {
        if (name === 'tokens') await feed.put([...state].map(([key, at]) => entry(key, at)));
      });
      const put = async (key: string, position: bigint): Promise<void> => {
        state.set(key, position);
        await feed.put([entry(key, position)]);
      };
      return { put };
    };
    const fedTo = async (bus: Bus) => {
      const held = new Map<string, bigint>();
      const watch = await bus.feed('tokens').watch((entries) => {
        for (const { key, position } of entries) held.set(key, position);
      });
      await watch.ready;
      return Object.fromEntries([...held].toSorted());
    };

    test.each(['older', 'empty', 'deleted'])('into a bucket that is %s', async (kind) => {
      const { put } = await publishing();
      await put('a', 1n);
      await put('b', 2n);
      if (kind === 'older') await storeOf().keep();
      await vi.waitFor(() => put('a', 3n), patience);
      await put('c', 4n);
      const { streams } = await manager();
      if (kind === 'deleted') await streams.delete(`KV_${namespace}-feed-tokens`);
      else await storeOf().putBack();
      // A relay that begins now has nothing but what the server holds.
      const relay = await joined(false);
      await vi.waitFor(async () => expect(await fedTo(relay)).toEqual({ a: 3n, b: 2n, c: 4n }), {
        ...patience,
        interval: 500,
      });
    });
  });
}
