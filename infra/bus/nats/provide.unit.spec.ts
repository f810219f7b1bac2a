import { expect, test } from 'vitest';
import { BusUnavailableError } from '../../ports/bus.ts';
import { nodeSystem } from '../../system/node-system.ts';
import type { NatsLink } from './nats-link.ts';
import { keepProvided } from './provide.ts';

/** A link whose server is back whenever `reconnect` is called. */
const openLink = () => {
  const listeners: (() => void)[] = [];
  const warnings: unknown[] = [];
  const link = {
    connection: { closed: () => new Promise<void>(() => undefined) },
    system: nodeSystem,
    logger: { warn: ({ err }: { err: unknown }) => warnings.push(err) },
    onReconnect: (listener: () => void) => void listeners.push(listener),
  } as unknown as NatsLink;
  return { link, warnings, reconnect: () => listeners.forEach((listener) => void listener()) };
};

/** Fails with these errors, one after the other, and works from then on. */
const failing = (errors: Error[]) => {
  const calls = { count: 0 };
  const ensure = async (): Promise<void> => {
    calls.count += 1;
    const error = errors.shift();
    if (error !== undefined) throw error;
  };
  return { calls, ensure };
};

test('a server that does not answer yet is waited for', async () => {
  const { link, warnings } = openLink();
  const away = [new BusUnavailableError('feed.options'), new BusUnavailableError('feed.options')];
  const { calls, ensure } = failing([...away]);
  await keepProvided(link, [ensure]);
  expect(calls.count).toBe(3);
  expect(warnings).toEqual(away);
});

test('what the server refuses ends the start', async () => {
  const { link } = openLink();
  const { ensure } = failing([new Error('no suitable peers for placement')]);
  await expect(keepProvided(link, [ensure])).rejects.toThrow('no suitable peers');
});

test('all is made again when the server is back, whatever it answers at first', async () => {
  const { link, reconnect } = openLink();
  const { calls, ensure } = failing([]);
  await keepProvided(link, [ensure]);
  const later = [new Error('the cluster elects a leader'), new BusUnavailableError('feed.prices')];
  const { calls: laterCalls, ensure: laterEnsure } = failing(later);
  await expect(keepProvided(link, [laterEnsure])).rejects.toThrow('elects');
  reconnect();
  await expect.poll(() => [calls.count, laterCalls.count]).toEqual([2, 3]);
});
