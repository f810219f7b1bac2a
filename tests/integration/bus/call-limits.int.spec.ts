import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { requestRateBucket } from '../../../domain/option/request-rate-buckets.ts';
import type { CallLimits } from '../../../domain/relay/call-limits.ts';
import { createMemoryBus } from '../../../infra/bus/memory/create-memory-bus.ts';
import { createNatsBus } from '../../../infra/bus/nats/create-nats-bus.ts';
import type { Bus } from '../../../infra/ports/bus.ts';
import { nodeSystem } from '../../../infra/system/node-system.ts';
import {
  CallLimiter,
  type CallPermit,
  isPermit,
} from '../../../relay/admission/call-limits/call-limiter.ts';
import { findNatsServer } from '../../support/nats-server.ts';
import { silentLogger } from '../../support/silent-logger.ts';

type Buses = Readonly<{ connect: () => Promise<Bus>; close: () => Promise<void> }>;

const small = { prompt: 10, output: 10 };
const patience = { timeout: 10_000, interval: 50 };

/** Three relays with a connection of their own each, and far more calls than a limit admits. */
const describeLimits = (title: string, start: () => Promise<Buses>): void => {
  describe(title, () => {
    let buses: Buses;
    let relays: readonly CallLimiter[] = [];
    beforeAll(async () => {
      buses = await start();
      const connected = [await buses.connect(), await buses.connect(), await buses.connect()];
      const { bucket, ttlSeconds } = requestRateBucket(1);
      for (const bus of connected) await bus.keyValue(bucket, { ttlSeconds }).get('none');
      relays = connected.map(
        (bus) =>
          new CallLimiter({
            bus,
            clock: () => new Date(),
            timers: nodeSystem.timers,
            logger: silentLogger,
          }),
      );
    });
    afterAll(async () => {
      for (const relay of relays) relay.stop();
      await buses.close();
    });

    const limited = (limits: CallLimits) => {
      const applied = [{ by: 'user' as const, name: randomUUID(), limits }];
      const offer = async (relay: CallLimiter, count: number): Promise<CallPermit[]> => {
        const all = Array.from({ length: count }, () => relay.take(applied, small));
        return (await Promise.all(all)).map(({ permit }) => permit).filter(isPermit);
      };
      /** So many calls at the same moment at each relay. */
      const offerAll = async (counts: readonly number[]): Promise<CallPermit[]> =>
        (await Promise.all(relays.map((relay, at) => offer(relay, counts[at] ?? 0)))).flat();
      return { offerAll };
    };

    test.each([
      ['requests', { requestsPerMinute: 100 }, 100],
      ['many requests', { requestsPerMinute: 1_000 }, 1_000],
      ['tokens', { tokensPerMinute: 20 * 100 }, 100],
      ['calls at a time', { concurrentRequests: 7 }, 7],
    ] as const)('%s are held within a tenth under an uneven burst', async (_name, limits, max) => {
      const { offerAll } = limited(limits);
      const first = await offerAll([3 * max, max, 5]);
      expect(first.length).toBeLessThanOrEqual(max);
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      const second = await offerAll([0, 2 * max, max]);
      const admitted = first.length + second.length;
      expect(admitted).toBeLessThanOrEqual(max * 1.1);
      expect(admitted).toBeGreaterThanOrEqual(max * 0.9);
    });

    test('calls that ended at one relay make room at another', async () => {
      const { offerAll } = limited({ concurrentRequests: 4 });
      const permits = await offerAll([4, 0, 0]);
      expect(permits).toHaveLength(4);
      expect(await offerAll([0, 2, 2])).toEqual([]);
      for (const permit of permits.slice(0, 3)) permit.ended(0);
      const later: CallPermit[] = [];
      await vi.waitFor(async () => {
        later.push(...(await offerAll([0, 2, 2])));
        expect(later).toHaveLength(3);
      }, patience);
    });
  });
};

describeLimits('limits of calls over the bus in memory', async () => {
  const bus = createMemoryBus({ logger: silentLogger });
  return { connect: async () => bus, close: () => bus.close() };
});

const nats = await findNatsServer();
if (nats.start === null) {
  console.warn(`left out: limits of calls over NATS (${nats.reason})`);
  test.skip(`limits of calls over NATS (left out: ${nats.reason})`, () => undefined);
} else {
  const { start } = nats;
  describeLimits('limits of calls over NATS', async () => {
    const server = await start();
    const namespace = `spec-${randomUUID().slice(0, 8)}`;
    const { url } = server;
    const buses: Bus[] = [];
    const connect = async (): Promise<Bus> => {
      const bus = await createNatsBus({ url, logger: silentLogger, name: 'spec', namespace });
      buses.push(bus);
      return bus;
    };
    const close = async (): Promise<void> => {
      await Promise.all(buses.map((bus) => bus.close()));
      await server.stop();
    };
    return { connect, close };
  });
}
