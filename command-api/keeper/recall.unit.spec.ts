import { expect, test } from 'vitest';
import type { LeaseRecall, LeaseRecalled } from '../../domain/account/messages.ts';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { VirtualTimers } from '../../tests/support/virtual-timers.ts';
import { LeaseRecalls } from './recall.ts';

const userId = 7;

test('requests that wait one over the other recall again and again', async () => {
  const timers = new VirtualTimers();
  const bus = createMemoryBus({ logger: silentLogger, timers });
  const recalledAt: number[] = [];
  await bus.subscribe<LeaseRecall>('lease.recall', () => recalledAt.push(timers.now()));
  const recalls = new LeaseRecalls({ bus, timers });
  const startedAt = timers.now();
  const waitTwice = async (): Promise<void> => {
    const request = recalls.open(userId);
    await request.wait();
    await request.wait();
    request.close();
  };
  const first = waitTwice();
  await timers.advance(100);
  const second = waitTwice();
  await timers.advance(700);
  await Promise.all([first, second]);
  expect(recalledAt.map((at) => at - startedAt)).toEqual([0, 100, 300, 400]);
});

test("a request receives the relays' answers for its account from when it began to wait", async () => {
  const timers = new VirtualTimers();
  const bus = createMemoryBus({ logger: silentLogger, timers });
  const recalls = new LeaseRecalls({ bus, timers });
  await recalls.start();
  const say = async (relayId: string, user: number, recorded: number): Promise<void> => {
    bus.publish<LeaseRecalled>('lease.recalled', { relayId, userId: user, recorded });
    await timers.advance(1);
  };
  const first = recalls.open(userId);
  await say('relay-a', userId, 3);
  await say('relay-b', 8, 9);
  const second = recalls.open(userId);
  await say('relay-a', userId, 4);
  await say('relay-c', userId, 0);
  await say('relay-d', userId, Number.NaN);
  first.close();
  await say('relay-a', userId, 5);
  expect([...first.answers]).toEqual([
    ['relay-a', 4],
    ['relay-c', 0],
  ]);
  expect([...second.answers]).toEqual([
    ['relay-a', 5],
    ['relay-c', 0],
  ]);
});
