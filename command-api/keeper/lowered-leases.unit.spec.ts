import { afterEach, expect, test } from 'vitest';
import type { LeaseRecall } from '../../domain/account/messages.ts';
import {
  aLeaseIdle,
  anAccountCommand,
  leaseId,
  tokenId,
  userId,
} from '../../tests/support/account-examples.ts';
import { type KeeperFixture, openKeeperFixture } from '../../tests/support/keeper-fixture.ts';

const fixtures: KeeperFixture[] = [];
const open = async (opening: Promise<KeeperFixture>): Promise<KeeperFixture> => {
  const fixture = await opening;
  fixtures.push(fixture);
  return fixture;
};
afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.stop();
});

const lower = ({ keeper }: KeeperFixture) =>
  keeper.execute(
    anAccountCommand(
      'AdjustQuota',
      { userId, delta: -900, seen: null, reason: { kind: 'other', note: null } },
      { commandId: 'lower' },
    ),
  );
const recallsOf = async ({ bus }: KeeperFixture): Promise<LeaseRecall[]> => {
  const recalls: LeaseRecall[] = [];
  await bus.subscribe<LeaseRecall>('lease.recall', (recall) => {
    if (recall.lowered !== undefined) recalls.push(recall);
  });
  return recalls;
};
const closing = aLeaseIdle({ unspent: 100 });
/** The fixture sweeps every few milliseconds. */
const aFewSweeps = () => new Promise((resolve) => setTimeout(resolve, 60));

test('a lowering is announced until every lease that it lowered is closed', async () => {
  const fixture = await open(openKeeperFixture());
  const recalls = await recallsOf(fixture);
  await fixture.fund(1_000);
  await fixture.lease(100);
  await aFewSweeps();
  expect(recalls).toEqual([]);
  await lower(fixture);
  await fixture.until(() => recalls.length > 2);
  const [first] = recalls;
  expect(first).toEqual({ userId, lowered: [{ leaseId, loweredAt: 4 }] });
  expect(new Set(recalls.map((recall) => JSON.stringify(recall))).size).toBe(1);
  await fixture.publish(closing);
  await fixture.until(() => fixture.events('LeaseReturned').length > 0);
  await aFewSweeps();
  const before = recalls.length;
  await aFewSweeps();
  expect(recalls).toHaveLength(before);
});

test('a keeper that reads the account after the one that lowered it announces it again', async () => {
  const first = await open(openKeeperFixture());
  await first.fund(1_000);
  await first.lease(100);
  await lower(first);
  await first.stop();
  const next = await open(first.another());
  const recalls = await recallsOf(next);
  await next.until(() => recalls.length > 0);
  expect(recalls[0]).toEqual({ userId, lowered: [{ leaseId, loweredAt: 4 }] });
});

test('the budget of a token lowers the leases of that token alone', async () => {
  const fixture = await open(openKeeperFixture());
  const recalls = await recallsOf(fixture);
  await fixture.fund(1_000);
  await fixture.lease(100);
  await fixture.lease(100, { tokenId: 0, lease: 2 });
  await fixture.keeper.execute(
    anAccountCommand(
      'SetTokenBudget',
      { userId, tokenId, unlimited: false, remain: 50 },
      { commandId: 'lower' },
    ),
  );
  await fixture.until(() => recalls.length > 0);
  expect(recalls[0]).toEqual({ userId, lowered: [{ leaseId, loweredAt: 5 }] });
});
