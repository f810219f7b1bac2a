import { beforeEach, describe, expect, test } from 'vitest';
import { type RefusedCalls, refusedSubject } from '../../domain/relay/refusals.ts';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import { aQuarter } from '../../tests/support/refusal-examples.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { noProgress, RefusalCounter } from './refusal-counter.ts';

let now: number;
let bus: Bus;
let messages: RefusedCalls[];
let isReachable: boolean;
let counter: RefusalCounter;
let ids: number;

const open = (bounds: Readonly<{ maxKinds?: number; maxKindsOfUser?: number }> = {}) =>
  new RefusalCounter({
    bus,
    clock: () => new Date(now * 1_000),
    logger: silentLogger,
    relayId: 'relay-a',
    ticks: 2,
    ...bounds,
  });

beforeEach(async () => {
  now = aQuarter + 5;
  ids = 0;
  messages = [];
  isReachable = true;
  bus = createMemoryBus({ logger: silentLogger });
  await bus.serve<RefusedCalls, unknown>(refusedSubject, async (refused) => {
    messages.push(refused);
    if (!isReachable) throw new Error('the log is away');
    return { sequence: refused.sequence };
  });
  counter = open();
});

const refuse = (reason: string, of: Readonly<{ userId?: number; model?: string }> = {}): void => {
  ids += 1;
  const { userId = 7, model = 'gpt-4o' } = of;
  const progress = { ...noProgress(), userId, tokenId: userId, model };
  counter.count({ requestId: `req-${ids}`, progress }, reason);
};
const kinds = () =>
  messages.flatMap(({ refusals }) =>
    refusals.map(({ reason, userId, model, count }) => [reason, userId, model, count] as const),
  );

describe('refused calls', () => {
  test('are counted by reason, user, key, model and quarter, with their first and last id', async () => {
    refuse('model_not_found');
    refuse('rate_limit_exceeded');
    refuse('model_not_found');
    now += 900;
    refuse('model_not_found');
    await counter.flush();
    const kind = { reason: 'model_not_found', userId: 7, tokenId: 7, model: 'gpt-4o' };
    expect(messages).toEqual([
      {
        relayId: 'relay-a',
        sequence: 0,
        refusals: [
          {
            ...kind,
            quarter: aQuarter,
            count: 2,
            firstRequestId: 'req-1',
            lastRequestId: 'req-3',
          },
          expect.objectContaining({ reason: 'rate_limit_exceeded', count: 1 }),
          {
            ...kind,
            quarter: aQuarter + 900,
            count: 1,
            firstRequestId: 'req-4',
            lastRequestId: 'req-4',
          },
        ],
      },
    ]);
  });

  test('are sent with a tick, and nothing is sent where nothing was refused', async () => {
    refuse('ip_not_allowed');
    counter.onTick();
    expect(messages).toHaveLength(0);
    counter.onTick();
    await counter.flush();
    expect(messages).toHaveLength(1);
    for (let tick = 0; tick < 4; tick += 1) counter.onTick();
    await counter.flush();
    expect(messages).toHaveLength(1);
  });

  test('are sent again under the same number, unchanged, until they are taken over', async () => {
    isReachable = false;
    refuse('ip_not_allowed');
    await counter.flush();
    refuse('ip_not_allowed');
    await counter.flush();
    isReachable = true;
    await counter.flush();
    await counter.flush();
    const counts = messages.map(({ sequence, refusals }) => [sequence, refusals[0]?.count]);
    expect(counts).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
      [1, 1],
    ]);
  });

  test('two flushes at once send nothing twice', async () => {
    refuse('ip_not_allowed');
    await Promise.all([counter.flush(), counter.flush(), counter.flush()]);
    expect(kinds()).toEqual([['ip_not_allowed', 7, 'gpt-4o', 1]]);
  });
});

describe('kinds of refused calls', () => {
  test('of one user beyond the bound are counted as others, those of another user by name', async () => {
    counter = open({ maxKindsOfUser: 2 });
    for (const model of ['a', 'b', 'c', 'd', 'a']) refuse('model_not_found', { model });
    refuse('model_not_found', { userId: 8, model: 'c' });
    await counter.flush();
    expect(kinds()).toEqual([
      ['model_not_found', 7, 'a', 2],
      ['model_not_found', 7, 'b', 1],
      ['model_not_found', 0, '(other)', 2],
      ['model_not_found', 8, 'c', 1],
    ]);
  });

  test('are bounded in a quarter however many users there are, also over several messages', async () => {
    counter = open({ maxKinds: 3 });
    for (let user = 1; user <= 5; user += 1) {
      refuse('invalid_value', { userId: user });
      await counter.flush();
    }
    refuse('ip_not_allowed', { userId: 9 });
    now += 900;
    refuse('ip_not_allowed', { userId: 9 });
    await counter.flush();
    expect(kinds().map(([reason, userId]) => [reason, userId])).toEqual([
      ['invalid_value', 1],
      ['invalid_value', 2],
      ['invalid_value', 3],
      ['invalid_value', 0],
      ['invalid_value', 0],
      ['ip_not_allowed', 0],
      ['ip_not_allowed', 9],
    ]);
  });

  test('have a model of at most 128 characters', async () => {
    refuse('model_not_found', { model: 'm'.repeat(5_000) });
    await counter.flush();
    expect(messages[0]?.refusals[0]?.model).toHaveLength(128);
  });
});
