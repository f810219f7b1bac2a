import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Event, Recorded } from '../../domain/shared/event.ts';
import type { UserRegistered } from '../../domain/user/events.ts';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import { createMemoryEventStore } from '../../tests/support/memory-event-store.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { aTokenChanged } from '../../tests/support/token-examples.ts';
import { aUserRegistered } from '../../tests/support/user-examples.ts';
import { rootUser, startWriteSide, type WriteSide } from '../../tests/support/write-side.ts';
import { type CheckpointNotice, checkpointSubject } from '../shared/visibility.ts';
import { openAccountOnUserRegistered } from './open-account-on-user-registered.ts';
import { setBudgetOnTokenChanged } from './set-budget-on-token-events.ts';

const recorded = <E extends Event>(event: E): Recorded<E> => ({
  event,
  eventId: 'event-1',
  streamId: 'stream-1',
  revision: 0n,
  position: 10n,
  metadata: aMetadata(),
});
const gifts = { newUser: 500, invitee: 30, inviter: 70 };
const follow = (event: UserRegistered) =>
  openAccountOnUserRegistered(recorded(event), gifts).map(({ type, data }) => ({ type, data }));

test('an ordinary user gets an account and the first quota', () => {
  expect(follow(aUserRegistered({ userId: 5 }))).toEqual([
    { type: 'OpenAccount', data: { userId: 5 } },
    {
      type: 'GrantQuota',
      data: { userId: 5, amount: 500, source: 'registration', reference: '5' },
    },
  ]);
});

test('the super admin of the set-up gets 200 USD, whatever new users get', () => {
  expect(follow(aUserRegistered({ userId: 1, role: 100 }))[1]).toMatchObject({
    data: { amount: 100_000_000, source: 'setup' },
  });
});

test('an invited user gets a gift, and the inviter a reward', () => {
  expect(follow(aUserRegistered({ userId: 5, inviterId: 3 })).slice(2)).toEqual([
    { type: 'GrantQuota', data: { userId: 5, amount: 30, source: 'invitation', reference: '3' } },
    { type: 'RewardReferral', data: { userId: 3, amount: 70, inviteeId: 5 } },
  ]);
});

test('gifts of nothing are not booked', () => {
  const payloads = openAccountOnUserRegistered(
    recorded(aUserRegistered({ userId: 5, inviterId: 3 })),
    { newUser: 0, invitee: 0, inviter: 0 },
  );
  expect(payloads.map(({ type }) => type)).toEqual(['OpenAccount']);
});

test('each command has a separate id, the same one whenever the event is delivered', () => {
  const idsOf = () =>
    openAccountOnUserRegistered(recorded(aUserRegistered({ inviterId: 3 })), gifts).map(
      ({ metadata }) => metadata.commandId,
    );
  expect(new Set(idsOf()).size).toBe(4);
  expect(idsOf()).toEqual(idsOf());
});

test('another name for a token leaves its budget alone', () => {
  const changed = (setsBudget?: true) =>
    setBudgetOnTokenChanged(recorded(aTokenChanged(setsBudget ? { setsBudget } : {})));
  expect(changed()).toBeNull();
  expect(changed(true)).toMatchObject({
    type: 'SetTokenBudget',
    data: { tokenId: 7, userId: 42, unlimited: false, remain: 500_000 },
  });
});

let side: WriteSide | null = null;
beforeEach(() => {
  side = null;
});
afterEach(() => side?.stop());

test('a crash between an event and its command heals at the next start', async () => {
  const eventStore = createMemoryEventStore();
  const first = await startWriteSide({ eventStore });
  eventStore.beforeAppend = async (streamId) => {
    if (streamId.startsWith('account-')) throw new Error('the process dies here');
  };
  const body = { ...rootUser, confirmPassword: rootUser.password };
  await first.person().call('POST', '/api/setup', { body });
  await first.stop();
  expect(first.events('UserRegistered')).toHaveLength(1);
  expect(first.events('QuotaGranted')).toEqual([]);
  eventStore.beforeAppend = null;
  const second = await startWriteSide({ eventStore });
  side = second;
  await expect.poll(async () => (await second.keeper.summary(1))?.balance).toBe(100_000_000);
});

test('the same events followed twice, by two processes at once, are booked once', async () => {
  const eventStore = createMemoryEventStore();
  const first = await startWriteSide({ eventStore });
  const root = await first.root();
  await root.call('POST', '/api/token/', { body: { name: 'mine', remain_quota: 500 } });
  const head = eventStore.all.at(-1)?.position ?? 0n;
  for (const name of ['user-accounts', 'token-budgets', 'user-departures', 'redemption-credits']) {
    eventStore.restartStream(`process-${name}`);
  }
  const bus = createMemoryBus({ logger: silentLogger });
  let slowest = -1n;
  await bus.subscribe<CheckpointNotice>(checkpointSubject, ({ checkpoints }) => {
    const positions = checkpoints.map(({ position }) => BigInt(position));
    [slowest = -1n] = positions.toSorted((left, right) => (left < right ? -1 : 1));
  });
  // Another command-api that never ran: it follows the log from its beginning.
  side = await startWriteSide({ eventStore, bus });
  await side.root();
  await expect.poll(() => slowest >= head).toBe(true);
  await first.stop();
  expect(side.events('QuotaGranted')).toHaveLength(1);
  expect(side.events('TokenBudgetSet')).toHaveLength(1);
});
