import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { channelOfProcess } from '../../../infra/bus/ipc/channel.ts';
import { type BusConnection, connectBus } from '../../../infra/bus/ipc/connect-bus.ts';
import { createLogger } from '../../../infra/logging/create-logger.ts';
import { BusUnavailableError } from '../../../infra/ports/bus.ts';
import { describeBus } from './bus-contract.ts';

const logger = createLogger({ level: 'silent', name: 'bus' });
const patience = { timeout: 20_000, interval: 10 };

const forkHost = (...args: readonly string[]): ChildProcess =>
  fork(new URL('./bus-host.ts', import.meta.url), args, {
    serialization: 'advanced',
  });

const connected = async (bus: BusConnection): Promise<BusConnection> => {
  await vi.waitFor(() => bus.request('host.pid', {}), patience);
  return bus;
};

const kill = async (host: ChildProcess): Promise<void> => {
  if (host.exitCode !== null || host.signalCode !== null) return;
  const gone = once(host, 'exit');
  host.kill('SIGKILL');
  await gone;
};

describeBus('the bus of another process', async () => {
  const host = forkHost();
  const bus = await connected(connectBus({ logger, channel: channelOfProcess(host) }));
  return {
    connect: async () => bus,
    close: async () => {
      await bus.close();
      await kill(host);
    },
  };
});

describe('a bus whose process is killed and started again', () => {
  const hosts: ChildProcess[] = [];
  const start = (...args: readonly string[]) => {
    const host = forkHost(...args);
    hosts.push(host);
    return host;
  };
  afterEach(async () => {
    await Promise.all(hosts.splice(0).map(kill));
  });

  test('while no host is attached, calls fail at once and orders wait', async () => {
    const bus = connectBus({ logger });
    await expect(bus.request('host.pid', {})).rejects.toThrow(BusUnavailableError);
    await expect(bus.queue('usage').publish(0, [1])).rejects.toThrow(BusUnavailableError);
    await expect(bus.keyValue('codes', { ttlSeconds: 9 }).get('a')).rejects.toThrow(
      BusUnavailableError,
    );
    await expect(bus.feed('tokens').get('a')).rejects.toThrow(BusUnavailableError);
    bus.publish('host.tell-edge', 'nobody hears this');
    const watch = await bus.feed('channels').watch(() => undefined);
    bus.attach(channelOfProcess(start('1')));
    await watch.ready;
    await bus.close();
  });

  test('publishes without an acknowledgement reject when the process dies', async () => {
    const host = start();
    const bus = await connected(connectBus({ logger, channel: channelOfProcess(host) }));
    const published = bus.queue('usage').publish(3, [1, 2, 3]);
    const asked = bus.request('edge.answer', {}, { timeoutMs: 60_000 });
    const settled = Promise.allSettled([published, asked]);
    await kill(host);
    for (const result of await settled) {
      expect(result.status).toBe('rejected');
      expect(result.status === 'rejected' && result.reason).toBeInstanceOf(BusUnavailableError);
    }
    await bus.close();
  });

  test('everything ordered holds on the new line', async () => {
    const first = start('1');
    const bus = await connected(connectBus({ logger, channel: channelOfProcess(first) }));
    const seen: bigint[] = [];
    const watch = await bus
      .feed('channels')
      .watch((entries) => void seen.push(...entries.map((e) => e.position)));
    await watch.ready;
    await bus.serve('edge.answer', async (body: number) => body + 1);
    const heard: unknown[] = [];
    await bus.subscribe('edge.hears', (body) => void heard.push(body));
    const handled: number[] = [];
    await bus.queue<number>('usage').consume([5], async (items) => void handled.push(...items));

    await kill(first);
    const second = start('2');
    bus.attach(channelOfProcess(second));
    await connected(bus);
    await vi.waitFor(() => expect(seen).toEqual([1n, 2n]), patience);
    expect(await bus.request('host.pid', {})).toBe(second.pid);
    await vi.waitFor(async () => {
      expect(await bus.request('host.ask-edge', 41)).toBe(42);
    }, patience);
    bus.publish('host.tell-edge', 'hello');
    await vi.waitFor(() => expect(heard).toEqual(['hello']), patience);
    await bus.queue<number>('usage').publish(5, [7]);
    expect(handled).toEqual([7]);
    await bus.close();
  });

  test('a stopped order is not announced on the new line', async () => {
    const first = start('1');
    const bus = await connected(connectBus({ logger, channel: channelOfProcess(first) }));
    const seen: bigint[] = [];
    const watch = await bus
      .feed('channels')
      .watch((entries) => void seen.push(...entries.map((e) => e.position)));
    await watch.ready;
    await kill(first);
    await watch.stop();
    bus.attach(channelOfProcess(start('2')));
    await connected(bus);
    expect(seen).toEqual([1n]);
    await bus.close();
  });
});
