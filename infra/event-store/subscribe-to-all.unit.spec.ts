import { EventEmitter } from 'node:events';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { expect, test } from 'vitest';
import type { Recorded } from '../../domain/shared/event.ts';
import { LogGuard, type LogPlace, LogReplacedError } from '../../domain/shared/log-place.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import type { SubscriptionItem } from '../ports/event-store.ts';
import { subscribeToAll } from './subscribe-to-all.ts';

class FakeConnection extends EventEmitter {
  readonly isPaused = () => false;
  readonly unsubscribe = async () => undefined;
}

/** An empty store; what its connections deliver, and when they break, is set by the test. */
const openStore = (lastRead: LogPlace | null = null, found = Promise.resolve<never[]>([])) => {
  const connections: FakeConnection[] = [];
  const client = {
    subscribeToAll: () => {
      const connection = new FakeConnection();
      connections.push(connection);
      return connection;
    },
    readAll: () => ({
      iterator: async function* () {
        yield* await found;
      },
    }),
  } as unknown as EventStoreDBClient;
  async function* readAll(): AsyncGenerator<Recorded> {}
  const guard = new LogGuard({ head: async () => null, readAll }, () => performance.now());
  const reading = { decode: null, onUnreadable: () => undefined };
  const context = { client, reading, logger: silentLogger, guard };
  const control = new AbortController();
  const items = subscribeToAll(context, { after: 7n, lastRead, signal: control.signal });
  return { connections, guard, control, items };
};

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
};

const drain = async (items: AsyncGenerator<SubscriptionItem>): Promise<void> => {
  for await (const item of items) void item;
};

const appendedAtNine = (guard: LogGuard): Promise<unknown> =>
  guard.append(['own'], async () => ({ position: 9n }));

test('a subscription ends where an append finds another log, though nothing was delivered to it', async () => {
  const { connections, guard, items } = openStore();
  const ended = expect(drain(items)).rejects.toThrow(LogReplacedError);
  await until(() => connections.length === 1);
  await appendedAtNine(guard);
  await expect(guard.append([], () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  await expect(appendedAtNine(guard)).rejects.toThrow(LogReplacedError);
  await ended;
});

test('a subscription that reconnects checks what the process has appended', async () => {
  const { connections, guard, items } = openStore();
  const ended = expect(drain(items)).rejects.toThrow(LogReplacedError);
  await until(() => connections.length === 1);
  await appendedAtNine(guard);
  connections[0]?.emit('error', new Error('the line broke'));
  await ended;
  expect(connections).toHaveLength(1);
});

test('a subscription that begins checks what was read before', async () => {
  const { connections, items } = openStore({ position: 7n, eventId: 'gone' });
  const ended = expect(drain(items)).rejects.toThrow('event gone at position 7');
  await until(() => connections.length === 1);
  connections[0]?.emit('confirmation');
  await ended;
});

test('a subscription that is left ends without an error', async () => {
  const { connections, control, items } = openStore();
  const ended = drain(items);
  await until(() => connections.length === 1);
  control.abort();
  await expect(ended).resolves.toBeUndefined();
});

test('what a broken connection had delivered, and was not taken, is delivered by the next one alone', async () => {
  let answer: (found: never[]) => void = () => undefined;
  const found = new Promise<never[]>((resolve) => {
    answer = resolve;
  });
  const { connections, control, items } = openStore(null, found);
  const received: string[] = [];
  const ended = (async () => {
    for await (const item of items) {
      if (item !== 'caught-up') received.push(...item.map(({ eventId }) => eventId));
    }
  })();
  const deliver = (nth: number, id: string): void => {
    const event = { id, type: 'Noted', streamId: 's-1', revision: 0n, data: {}, metadata: {} };
    connections[nth]?.emit('data', { event, commitPosition: 8n });
  };
  await until(() => connections.length === 1);
  connections[0]?.emit('confirmation');
  deliver(0, 'of-a-log-that-is-gone');
  connections[0]?.emit('error', new Error('the log is restored from a backup'));
  answer([]);
  await until(() => connections.length === 2);
  connections[1]?.emit('confirmation');
  deliver(1, 'of-the-restored-log');
  await until(() => received.length > 0);
  control.abort();
  await ended;
  expect(received).toEqual(['of-the-restored-log']);
});
