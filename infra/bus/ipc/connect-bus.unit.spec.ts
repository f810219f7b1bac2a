import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import { createLogger } from '../../logging/create-logger.ts';
import { BusUnavailableError } from '../../ports/bus.ts';
import { createMemoryBus } from '../memory/create-memory-bus.ts';
import type { Channel } from './channel.ts';
import { connectBus } from './connect-bus.ts';
import { serveBus } from './serve-bus.ts';

const logger = createLogger({ level: 'silent', name: 'spec' });
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** The two ends in one process: a spec can cut it at any time. */
const channelOfPort = (port: MessagePort): Channel => ({
  send: (message) => port.postMessage(message),
  onMessage: (listener) => {
    port.on('message', listener);
    return () => void port.off('message', listener);
  },
  onClose: (listener) => {
    port.on('close', listener);
    return () => void port.off('close', listener);
  },
});

/** A bus and its client, connected over a channel between two threads. */
const aServedBus = () => {
  const { port1, port2 } = new MessageChannel();
  closers.push(() => port1.close());
  const bus = createMemoryBus({ logger });
  const served = serveBus(bus, channelOfPort(port1), logger);
  return { bus, served, channel: channelOfPort(port2), cut: () => port1.close() };
};

const connected = async (client: ReturnType<typeof connectBus>) => {
  await vi.waitFor(() => client.feed('tokens').get('any'), { interval: 1 });
  return client;
};

test('bus and client connect in either order', async () => {
  const { port1, port2 } = new MessageChannel();
  closers.push(() => port1.close());
  const client = connectBus({ logger, channel: channelOfPort(port2) });
  const seen: string[] = [];
  await client.feed('options').watch((entries) => void seen.push(...entries.map((e) => e.key)));
  const bus = createMemoryBus({ logger });
  await bus.feed('options').put([{ key: 'a', position: 1n, value: 1 }]);
  serveBus(bus, channelOfPort(port1), logger);
  await vi.waitFor(() => expect(seen).toEqual(['a']), { interval: 1 });
});

test('what the client served, watched and consumed ends with the connection', async () => {
  const { bus, channel, cut } = aServedBus();
  const client = await connected(connectBus({ logger, channel }));
  await client.serve('client.answer', async () => 'yes');
  await client.queue('usage').consume([1], async () => undefined);
  expect(await bus.request('client.answer', {})).toBe('yes');
  cut();
  await vi.waitFor(() => expect(bus.request('client.answer', {})).rejects.toThrow('no answer'));
  await vi.waitFor(() => bus.queue('usage').consume([1], async () => undefined));
});

test('a client that attaches a new channel has its subscriptions once', async () => {
  const first = aServedBus();
  const client = await connected(connectBus({ logger, channel: first.channel }));
  let received = 0;
  await client.subscribe('news', () => {
    received += 1;
  });
  const second = aServedBus();
  client.attach(second.channel);
  await connected(client);
  first.bus.publish('news', 1);
  second.bus.publish('news', 2);
  await vi.waitFor(() => expect(received).toBe(1));
  await client.feed('tokens').get('any');
  expect(received).toBe(1);
});

test('a refusal of the bus reaches the client, and unavailable stays unavailable', async () => {
  const { bus, channel } = aServedBus();
  const client = await connected(connectBus({ logger, channel }));
  await bus.keyValue('codes', { ttlSeconds: 60 }).put('a', 1);
  await expect(client.keyValue('codes', { ttlSeconds: 61 }).get('a')).rejects.toThrow(
    'a different expiry',
  );
  await expect(client.request('unserved', {})).rejects.toMatchObject({ subject: 'unserved' });
  await client.close();
  await expect(client.request('unserved', {})).rejects.toThrow(BusUnavailableError);
});

test('messages of other kinds on the same channel are ignored', async () => {
  const { port1, port2 } = new MessageChannel();
  closers.push(() => port1.close());
  const bus = createMemoryBus({ logger });
  serveBus(bus, channelOfPort(port1), logger);
  port2.postMessage({ kind: 'supervisor.ready' });
  port2.postMessage('text');
  const client = await connected(connectBus({ logger, channel: channelOfPort(port2) }));
  await bus.feed('tokens').put([{ key: 'a', position: 2n ** 60n, value: null }]);
  expect(await client.feed('tokens').get('a')).toEqual({
    key: 'a',
    position: 2n ** 60n,
    value: null,
  });
});

test('the other end of the channel reads keys and publishes none', async () => {
  const { bus, channel } = aServedBus();
  const client = await connected(connectBus({ logger, channel }));
  const forged = client.feed('keys').put([{ key: 'k', position: 9n, value: {} }]);
  await expect(forged).rejects.toThrow(/control plane/);
  expect(await bus.feed('keys').get('k')).toBeNull();
  await bus.feed('keys').put([{ key: 'k', position: 1n, value: 'public' }]);
  expect(await client.feed('keys').get('k')).toMatchObject({ value: 'public' });
});

test('the other end receives what keepers publish, and publishes none of it', async () => {
  const { bus, channel } = aServedBus();
  const client = await connected(connectBus({ logger, channel }));
  const subjects = ['lease.renewed', 'lease.recall', 'lease.inquiry', 'usage.settled'];
  const received: string[] = [];
  const forged: string[] = [];
  for (const subject of subjects) {
    await client.subscribe<string>(subject, (body) => void received.push(body));
    await bus.subscribe(subject, (body) => void (body === 'forged' && forged.push(subject)));
    client.publish(subject, 'forged');
    await expect(client.serve(subject, async () => 'forged')).rejects.toThrow(/account keepers/);
  }
  for (const subject of ['keeper.alive', 'keeper.listening', 'keeper.lease']) {
    await bus.subscribe(subject, () => void forged.push(subject));
    client.publish(subject, 'forged');
    await expect(client.serve(subject, async () => 'forged')).rejects.toThrow(/account keepers/);
    await expect(client.subscribe(subject, () => undefined)).rejects.toThrow(/account keepers/);
  }
  for (const subject of subjects) bus.publish(subject, subject);
  await vi.waitFor(() => expect(received).toEqual(subjects));
  expect(forged).toEqual([]);
});
