import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createNatsBus } from '../../../infra/bus/nats/create-nats-bus.ts';
import { createLogger } from '../../../infra/logging/create-logger.ts';
import { type Bus, BusUnavailableError } from '../../../infra/ports/bus.ts';
import { findNatsServer, type NatsServer } from '../../support/nats-server.ts';
import { describeBus } from './bus-contract.ts';

const available = await findNatsServer();
const logger = createLogger({ level: 'silent', name: 'bus' });
const patience = { timeout: 30_000, interval: 20 };

if (available.start === null) {
  console.warn(`left out: the bus over NATS (${available.reason})`);
  test.skip(`the bus over NATS (left out: ${available.reason})`, () => undefined);
} else {
  const { start } = available;

  /** Users of one namespace of their own, so that tests may share a server. */
  const usersOf = (server: NatsServer) => {
    const namespace = `spec-${randomUUID().slice(0, 8)}`;
    const buses: Bus[] = [];
    const connect = async (): Promise<Bus> => {
      const bus = await createNatsBus({ url: server.url, logger, name: 'spec', namespace });
      buses.push(bus);
      return bus;
    };
    const close = async (): Promise<void> => {
      await Promise.all(buses.map((bus) => bus.close()));
    };
    return { connect, close };
  };

  describeBus('the bus over NATS', async () => {
    const server = await start();
    const { connect, close } = usersOf(server);
    return {
      connect,
      close: async () => {
        await close();
        await server.stop();
      },
    };
  });

  test('processes that make the same bucket at the same moment all have it', async () => {
    const server = await start();
    const { connect, close } = usersOf(server);
    try {
      const buses = await Promise.all(Array.from({ length: 6 }, connect));
      for (let round = 0; round < 25; round += 1) {
        const name = `made-${round}`;
        const counts = buses.map((bus) => bus.keyValue(name, { ttlSeconds: 60 }).increment('n', 1));
        expect((await Promise.all(counts)).toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
      }
    } finally {
      await close();
      await server.stop();
    }
  });

  describe('a NATS server that is killed and started again', () => {
    let server: NatsServer;
    let users: ReturnType<typeof usersOf>;
    beforeAll(async () => {
      server = await start();
      users = usersOf(server);
    });
    afterAll(async () => {
      await users.close();
      await server.stop();
    });

    test('watches, servers and consumers continue, and nothing queued is lost', async (context) => {
      const { restart } = server;
      if (restart === null) return context.skip('the server is not ours to kill');
      const [publisher, reader] = [await users.connect(), await users.connect()];
      const tokens = publisher.feed('tokens');
      const seen = new Map<string, bigint>();
      const watch = await reader.feed('tokens').watch((entries) => {
        for (const { key, position } of entries) seen.set(key, position);
      });
      await watch.ready;
      await tokens.put([{ key: 'a', position: 1n, value: {} }]);
      await reader.serve('spec.alive', async () => 'yes');
      const handled: number[] = [];
      await reader.queue<number>('usage').consume([1], async (items) => {
        handled.push(...items);
      });
      await publisher.queue<number>('usage').publish(1, [1]);
      await publisher.queue<number>('usage').publish(2, [10]);
      await vi.waitFor(() => expect(handled).toEqual([1]), patience);

      await restart();
      await vi.waitFor(() => publisher.queue<number>('usage').publish(1, [2]), patience);
      await vi.waitFor(() => expect(handled.at(-1)).toBe(2), patience);
      await vi.waitFor(() => tokens.put([{ key: 'b', position: 2n, value: {} }]), patience);
      await vi.waitFor(() => expect(seen.get('b')).toBe(2n), patience);
      expect(seen.get('a')).toBe(1n);
      await vi.waitFor(async () => {
        expect(await publisher.request('spec.alive', {})).toBe('yes');
      }, patience);
      const late: number[] = [];
      await reader.queue<number>('usage').consume([2], async (items) => void late.push(...items));
      await vi.waitFor(() => expect(late).toEqual([10]), patience);
    });

    test('items acknowledged around two crashes all arrive, in order', async (context) => {
      const { restart } = server;
      if (restart === null) return context.skip('the server is not ours to kill');
      const [publisher, reader] = [await users.connect(), await users.connect()];
      const queue = publisher.queue<number>('usage');
      const seen = new Set<number>();
      await reader.queue<number>('usage').consume([9], async (items) => {
        for (const item of items) seen.add(item);
      });
      const items = Array.from({ length: 400 }, (_, i) => i);
      for (const item of items) {
        const crash = item === 100 || item === 300 ? restart() : null;
        await vi.waitFor(() => queue.publish(9, [item]), patience);
        await crash;
      }
      await vi.waitFor(() => expect(seen.size).toBe(400), patience);
      // A repeat is allowed; the first arrival of each item keeps the order.
      expect([...seen]).toEqual(items);
    });
  });

  describe('partitions of the usage queue', () => {
    let server: NatsServer;
    let users: ReturnType<typeof usersOf>;
    beforeAll(async () => {
      server = await start();
      users = usersOf(server);
    });
    afterAll(async () => {
      await users.close();
      await server.stop();
    });

    test('a keeper that takes a partition over gets what was not done, in order', async () => {
      const [first, second] = [await users.connect(), await users.connect()];
      const queue = first.queue<number>('usage');
      const hung = vi.fn(() => new Promise<void>(() => undefined));
      await queue.consume([1], hung);
      for (const n of [1, 2, 3]) await queue.publish(1, [n]);
      await vi.waitFor(() => expect(hung).toHaveBeenCalled(), patience);
      const seen: number[] = [];
      await second.queue<number>('usage').consume([1], async (items) => void seen.push(...items));
      await queue.publish(1, [4]);
      await vi.waitFor(() => expect(seen).toEqual([1, 2, 3, 4]), patience);
    });

    test('all partitions of the accounts are consumed by one keeper', async () => {
      const bus = await users.connect();
      const partitions = Array.from({ length: 64 }, (_, i) => 100 + i);
      const seen = new Set<number>();
      const stop = await bus.queue<number>('usage').consume(partitions, async (items) => {
        for (const item of items) seen.add(item);
      });
      await Promise.all(partitions.map((p) => bus.queue<number>('usage').publish(p, [p])));
      await vi.waitFor(() => expect(seen.size).toBe(64), patience);
      await stop();
    });

    test('an item that no server takes is refused, and the next one goes through', async () => {
      const bus = await users.connect();
      const queue = bus.queue<string>('usage');
      const refused = queue.publish(7, ['x'.repeat(2_000_000)]);
      await expect(refused).rejects.not.toBeInstanceOf(BusUnavailableError);
      await queue.publish(7, ['y']);
    });
  });
}
