import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LeaseReply, LeaseRequest } from '../../domain/account/messages.ts';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import { createMetrics } from '../../infra/metrics/create-metrics.ts';
import { type Bus, BusUnavailableError } from '../../infra/ports/bus.ts';
import { nodeSystem } from '../../infra/system/node-system.ts';
import {
  anAccountCommand,
  relayId,
  tokenId,
  userId,
} from '../../tests/support/account-examples.ts';
import {
  createMemoryEventStore,
  type MemoryEventStore,
} from '../../tests/support/memory-event-store.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { createKeeper, type Keeper } from './create-keeper.ts';

let bus: Bus;
let store: MemoryEventStore;
let keepers: Keeper[];

beforeEach(() => {
  bus = createMemoryBus({ logger: silentLogger });
  store = createMemoryEventStore();
  keepers = [];
});
afterEach(async () => {
  await Promise.all(keepers.map((keeper) => keeper.stop()));
  await bus.close();
});

const join = async (keeperId: string, line: Bus = bus): Promise<Keeper> => {
  const keeper = createKeeper({
    ...nodeSystem,
    eventStore: store,
    bus: line,
    clock: () => new Date(),
    logger: silentLogger,
    metrics: createMetrics({ process: keeperId }),
    keeperId,
  });
  keepers.push(keeper);
  await keeper.start();
  return keeper;
};

const fund = async (keeper: Keeper, balance: number): Promise<void> => {
  await keeper.execute(anAccountCommand('OpenAccount', { userId }, { commandId: 'open' }));
  const grant = { userId, amount: balance, source: 'topup' as const, reference: 'trade-1' };
  await keeper.execute(anAccountCommand('GrantQuota', grant, { commandId: 'grant' }));
  const budget = { userId, tokenId, unlimited: true, remain: 0 };
  await keeper.execute(anAccountCommand('SetTokenBudget', budget, { commandId: 'budget' }));
};

const ask = (number: number): Promise<LeaseReply> =>
  bus.request<LeaseRequest, LeaseReply>('keeper.lease', {
    relayId,
    userId,
    tokenId,
    lease: 1,
    need: 100,
    ask: number,
  });

const parts = (): number[] =>
  keepers.map((keeper) => keeper.ready().detail.partitions ?? 0).sort((a, b) => a - b);

test('two keepers share the accounts, and the owner grants, whichever receives the request', async () => {
  const first = await join('first');
  await join('second');
  await fund(first, 1_000_000);
  await expect.poll(parts, { timeout: 20_000 }).toEqual([32, 32]);
  const replies = [await ask(1), await ask(2), await ask(3), await ask(4)];
  expect(replies.map(({ refusal }) => refusal)).toEqual([null, null, null, null]);
  // Only the first lease request found no lease: all reached the same account state.
  expect(replies.map(({ fresh }) => fresh)).toEqual([true, false, false, false]);
});

test('where the owner does not answer, the keeper that received the request grants by itself', async () => {
  const first = await join('first');
  await fund(first, 1_000_000);
  const deaf: Bus = {
    ...bus,
    request: (subject) => Promise.reject(new BusUnavailableError(subject)),
  };
  await join('second', deaf);
  await expect.poll(parts, { timeout: 20_000 }).toEqual([32, 32]);
  const replies = [await ask(1), await ask(2), await ask(3), await ask(4)];
  expect(replies.map(({ refusal }) => refusal)).toEqual([null, null, null, null]);
  const leased = store.all.filter(({ event }) => event.type === 'QuotaLeased');
  expect(leased).toHaveLength(4);
});

test('events of another keeper are seen after a reload', async () => {
  const first = await join('first');
  const second = await join('second');
  await fund(first, 500);
  expect((await second.summary(userId))?.balance).toBe(500);
  const grant = { userId, amount: 250, source: 'topup' as const, reference: 'trade-2' };
  await first.execute(anAccountCommand('GrantQuota', grant, { commandId: 'grant-2' }));
  expect((await second.summary(userId))?.balance).toBe(750);
});
