import { expect, test } from 'vitest';
import type { AccountEvent } from '../../domain/account/events.ts';
import {
  aLeaseIdle,
  aStartedRecord,
  aUsedRecord,
  userId,
} from '../../tests/support/account-examples.ts';
import { type KeeperFixture, openKeeperFixture } from '../../tests/support/keeper-fixture.ts';
import { createMemoryEventStore } from '../../tests/support/memory-event-store.ts';

const used = (number: number, amount = 10) =>
  aUsedRecord({ sequence: number, amount, call: { requestId: `req-${number}` } });

/** A relay's day from the view of the keeper; each step is repeated until it succeeds. */
const steps: readonly ((fixture: KeeperFixture) => Promise<unknown>)[] = [
  (fixture) => fixture.fund(1_000),
  (fixture) => fixture.lease(300, { ask: 1 }),
  (fixture) => fixture.publish(aStartedRecord({ requestId: 'req-4' }), used(1, 30)),
  (fixture) => fixture.publish(used(2, 20), used(3, 10)),
  (fixture) => fixture.lease(300, { ask: 2 }),
  (fixture) => fixture.publish(used(4, 40), aLeaseIdle({ sequence: 5, unspent: 500 })),
];

/** One step in one life of the keeper, over and over until it went through. */
const untilDone = async (
  step: (fixture: KeeperFixture) => Promise<unknown>,
  nextKeeper: () => Promise<KeeperFixture>,
): Promise<KeeperFixture> => {
  for (;;) {
    const fixture = await nextKeeper();
    const done = step(fixture).then(
      () => true,
      () => false,
    );
    // The queue repeats by itself for ever, so a step that does not end is a crash as well.
    const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 40));
    if (await Promise.race([done, late])) return fixture;
    await fixture.stop();
  }
};

const movementOf = (event: AccountEvent): number => {
  if (event.type === 'QuotaGranted') return event.data.amount;
  return event.type === 'RequestCharged' ? -event.data.amount : 0;
};

const expectSoundAccount = async (fixture: KeeperFixture): Promise<void> => {
  const events = fixture.store.all
    .filter(({ streamId }) => streamId === `account-${userId}`)
    .map(({ event }) => event as AccountEvent);
  const balance = events.reduce((sum, event) => sum + movementOf(event), 0);
  expect(balance).toBe(900);
  expect((await fixture.keeper.summary(userId))?.balance).toBe(900);
  const charges = fixture.events('RequestCharged').map(({ data }) => data.call.requestId);
  expect(charges.toSorted()).toEqual(['req-1', 'req-2', 'req-3', 'req-4']);
  expect(fixture.events('RequestAbandoned')).toHaveLength(0);
  expect(fixture.events('QuotaLeased')).toHaveLength(2);
  expect((await fixture.lease(900, { relayId: 'relay-b', ask: 1 })).granted).toBe(900);
};

/** Plays the day with a keeper that dies at its nth append, before or after it was stored. */
const playWithCrashAt = async (nth: number, moment: 'before' | 'after'): Promise<boolean> => {
  const store = createMemoryEventStore();
  const now = { ms: Date.parse('2026-03-01T08:00:00.000Z') };
  let appends = 0;
  let crashed = false;
  const crash = async (): Promise<void> => {
    appends += 1;
    if (appends !== nth) return;
    crashed = true;
    throw new Error('the keeper dies here');
  };
  if (moment === 'before') store.beforeAppend = crash;
  else store.afterAppend = crash;

  let fixture: KeeperFixture | null = null;
  const fresh = async (): Promise<KeeperFixture> => openKeeperFixture({ store, now });
  for (const step of steps) {
    let isFirst: boolean = fixture !== null;
    const kept: KeeperFixture | null = fixture;
    fixture = await untilDone(step, async () => {
      const reuse = isFirst && kept !== null ? kept : null;
      isFirst = false;
      return reuse ?? fresh();
    });
  }
  if (fixture === null) throw new Error('nothing was played');
  store.beforeAppend = null;
  store.afterAppend = null;
  await expectSoundAccount(fixture);
  await fixture.stop();
  return crashed;
};

test.each(['before', 'after'] as const)(
  'the books add up whichever append the keeper dies %s',
  async (moment) => {
    let nth = 1;
    while (await playWithCrashAt(nth, moment)) nth += 1;
    expect(nth).toBeGreaterThan(8);
  },
);

test('two keepers of one partition at the same moment charge each record once', async () => {
  const one = await openKeeperFixture();
  await one.fund(100_000);
  const two = await one.another();
  const records = Array.from({ length: 400 }, (_, i) => used(i + 1));
  await one.lease(500);
  // What arrives ahead of its turn is left, and sent again by its relay until it is settled.
  const isDone = () => one.events('RequestCharged').length >= records.length;
  while (!isDone()) {
    await Promise.all([
      one.publish(...records.slice(0, 250)),
      two.publish(...records.slice(150)),
      one.lease(500),
      two.lease(500, { relayId: 'relay-b' }),
      one.publish(...records.slice(0, 20)),
      two.publish(...records.slice(0, 20)),
    ]);
  }
  const charged = one.events('RequestCharged').map(({ data }) => data.call.requestId);
  expect(charged).toHaveLength(400);
  expect(new Set(charged).size).toBe(400);
  expect((await one.keeper.summary(userId))?.requestCount).toBeLessThanOrEqual(400);
  const last = one.events('RequestCharged').at(-1);
  expect(last?.data.balanceAfter).toBe(96_000);
  await one.stop();
  await two.stop();
});

test('two keepers lease no more than there is', async () => {
  const one = await openKeeperFixture();
  await one.fund(1_000);
  const two = await one.another();
  const asks = Array.from({ length: 40 }, (_, i) =>
    (i % 2 === 0 ? one : two).lease(60, { relayId: i % 2 === 0 ? 'relay-a' : 'relay-b' }),
  );
  const granted = (await Promise.all(asks)).reduce((sum, reply) => sum + reply.granted, 0);
  expect(granted).toBe(1_000);
  await one.stop();
  await two.stop();
});
