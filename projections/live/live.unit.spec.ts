import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { createLive, type Live } from './live.ts';

let bus: Bus;
let live: Live;

beforeEach(async () => {
  bus = createMemoryBus({ logger: silentLogger });
  live = createLive({ bus, minGapMs: 1, heartbeatMs: 20, maxListeners: 2 });
  await live.start();
});
afterEach(async () => {
  await live.stop();
  await bus.close();
});

const announce = (...changed: readonly string[]): void =>
  bus.publish('projection.checkpoint', {
    checkpoints: ['usage-log', 'ledger', 'user-list'].map((name) => ({ name, position: '7' })),
    changed,
  });

/** Words of a listener, heartbeats left out. */
const listen = (
  userId = 1,
): Readonly<{ next: () => Promise<string>; leave: () => Promise<void> }> => {
  const words = live.events(userId)[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    for (;;) {
      const { value, done } = await words.next();
      if (done) return 'ended';
      if (!value.startsWith(':') && !value.startsWith('retry')) return value;
    }
  };
  return {
    next,
    leave: async () => {
      await words.return?.(undefined);
    },
  };
};

test('a listener receives which read models changed, in one message for all that gathered', async () => {
  const listener = listen();
  const next = listener.next();
  announce('usage-log');
  expect(await next).toBe('event: moved\ndata: {"read_models":["usage-log"]}\n\n');
  announce('ledger');
  announce('ledger', 'user-list');
  expect(await listener.next()).toContain('["ledger","user-list"]');
});

test('checkpoints that advance without a change of rows are not announced', async () => {
  const listener = listen();
  const next = listener.next();
  announce();
  bus.publish('projection.checkpoint', {
    checkpoints: [{ name: 'process:welcome', position: '8' }],
  });
  announce('option-list');
  expect(await next).toContain('["option-list"]');
});

test('listeners are bounded, and one that leaves makes room', async () => {
  const first = listen();
  const next = first.next();
  void listen(2).next();
  expect(() => live.events(3)).toThrow('live.too-many');
  announce('ledger');
  await next;
  await first.leave();
  expect(() => live.events(3)).not.toThrow();
});

test('one user cannot take the lines of all', async () => {
  const roomy = createLive({ bus, heartbeatMs: 20, maxListeners: 100 });
  const lines = Array.from({ length: 4 }, () => roomy.events(1)[Symbol.asyncIterator]());
  await Promise.all(lines.map((line) => line.next()));
  expect(() => roomy.events(1)).toThrow('live.too-many');
  expect(() => roomy.events(2)).not.toThrow();
  await lines[0]?.return?.(undefined);
  expect(() => roomy.events(1)).not.toThrow();
});

test('every listener is closed when the process stops', async () => {
  const listener = listen();
  const next = listener.next();
  await live.stop();
  expect(await next).toBe('ended');
});
