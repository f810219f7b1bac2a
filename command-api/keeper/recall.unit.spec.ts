import { expect, test } from 'vitest';
import type { LeaseRecall } from '../../domain/account/messages.ts';
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
    await recalls.wait(userId);
    await recalls.wait(userId);
  };
  const first = waitTwice();
  await timers.advance(100);
  const second = waitTwice();
  await timers.advance(700);
  await Promise.all([first, second]);
  expect(recalledAt.map((at) => at - startedAt)).toEqual([0, 100, 300, 400]);
});
