import { afterEach, describe, expect, test } from 'vitest';
import { accountPartitions } from '../../domain/account/messages.ts';
import {
  aFailedRecord,
  aLeaseIdle,
  anAccountCommand,
  aUsedRecord,
  relayId,
  tokenId,
  userId,
} from '../../tests/support/account-examples.ts';
import { type KeeperFixture, openKeeperFixture } from '../../tests/support/keeper-fixture.ts';

const fixtures: KeeperFixture[] = [];
const open = async (
  fixture: Promise<KeeperFixture> = openKeeperFixture(),
): Promise<KeeperFixture> => {
  const opened = await fixture;
  fixtures.push(opened);
  return opened;
};
afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.stop();
});

const used = (sequence: number, amount = 10) =>
  aUsedRecord({ sequence, amount, call: { requestId: `req-${sequence}` } });
const balanceOf = async ({ keeper }: KeeperFixture) => (await keeper.summary(userId))?.balance;

describe('settlement', () => {
  test('charges and leases continue after unreadable events, after a restart too', async () => {
    const fixture = await open();
    await fixture.fund(1_000);
    fixture.store.appendUnreadable(`account-${userId}`);
    fixture.store.appendUnreadable(`leasedAccounts-${userId % accountPartitions}`);
    expect((await fixture.lease(100)).granted).toBe(100);
    await fixture.publish(used(1));
    await fixture.until(() => fixture.events('RequestCharged').length === 1);
    fixture.store.appendUnreadable(`account-${userId}`);
    await fixture.stop();
    const next = await open(fixture.another());
    await next.publish(used(2));
    await next.until(() => next.events('RequestCharged').length === 2);
    expect(await balanceOf(next)).toBe(980);
  });

  test('a record is charged to the unit, against lease, token and account', async () => {
    const fixture = await open();
    await fixture.fund(1_000);
    await fixture.lease(100);
    await fixture.publish(used(1, 30), used(2, 12));
    const summary = await fixture.keeper.summary(userId);
    expect(summary).toMatchObject({ balance: 958, used: 42, requestCount: 2 });
    expect(summary?.tokens.get(tokenId)).toEqual({ unlimited: false, remain: 958, used: 42 });
    expect(fixture.events('RequestCharged').map(({ data }) => data.balanceAfter)).toEqual([
      970, 958,
    ]);
  });

  test('repeated records are charged once', async () => {
    const fixture = await open();
    await fixture.fund(1_000);
    await fixture.publish(used(1), used(2));
    await fixture.publish(used(1), used(2), used(3));
    expect(await balanceOf(fixture)).toBe(970);
  });

  test('repeated records are charged once, after a restart too', async () => {
    const fixture = await open();
    await fixture.fund(1_000);
    await fixture.publish(used(1), used(2), used(3));
    await fixture.stop();
    const next = await open(fixture.another());
    await next.publish(used(2), used(3), used(4));
    expect(await balanceOf(next)).toBe(960);
  });

  test('batches that overtake each other are all charged, once', async () => {
    const fixture = await open();
    await fixture.fund(1_000);
    await fixture.publish(used(3), used(4));
    await fixture.publish(used(1), used(2));
    await fixture.publish(used(1), used(4));
    expect(await balanceOf(fixture)).toBe(960);
  });

  test('thousands of charges fall back on the stream when memory has dropped their ids', async () => {
    const fixture = await open();
    await fixture.fund(100_000);
    const records = Array.from({ length: 2_600 }, (_, i) => used(i + 1));
    await fixture.publish(...records);
    const reads = fixture.store.reads;
    await fixture.publish(...records.slice(0, 5));
    expect(fixture.store.reads).toBeGreaterThan(reads);
    expect(fixture.events('RequestCharged')).toHaveLength(2_600);
    expect(await balanceOf(fixture)).toBe(74_000);
  });

  test('a restart reads the newest snapshot and what follows it', async () => {
    const fixture = await open();
    await fixture.fund(100_000);
    await fixture.publish(...Array.from({ length: 1_200 }, (_, i) => used(i + 1)));
    await fixture.until(() =>
      fixture.store.all.some(({ event }) => event.type === 'AccountSnapshotTaken'),
    );
    await fixture.stop();
    const next = await open(fixture.another());
    expect(await balanceOf(next)).toBe(88_000);
    await next.publish(used(1_200), used(1_201));
    expect(await balanceOf(next)).toBe(87_990);
    await next.keeper.execute(
      anAccountCommand(
        'GrantQuota',
        { userId, amount: 100_000, source: 'topup', reference: 'trade-1' },
        { commandId: 'grant' },
      ),
    );
    expect(await balanceOf(next)).toBe(87_990);
  });

  test('a record that cannot be settled is set aside, and the others are charged', async () => {
    const fixture = await open();
    await fixture.fund(1_000);
    const broken = { ...used(2), quote: { kind: 'ratio' } } as unknown as ReturnType<typeof used>;
    await fixture.publish(used(1), broken, used(3));
    expect(await balanceOf(fixture)).toBe(980);
    expect(
      fixture.store.all.filter(({ event }) => event.type === 'UsageRecordSetAside'),
    ).toHaveLength(1);
  });

  test('a failed request is in the error log of its relay and moves no quota', async () => {
    const fixture = await open();
    await fixture.fund(1_000);
    await fixture.publish(aFailedRecord());
    const logged = fixture.store.all.filter(({ streamId }) => streamId === `relay-${relayId}`);
    expect(logged.map(({ event }) => event.type)).toEqual(['RequestFailed']);
    expect(await balanceOf(fixture)).toBe(1_000);
  });

  test('a returned lease is free again, for the next request', async () => {
    const fixture = await open();
    await fixture.fund(1_000);
    await fixture.lease(1_000);
    await fixture.publish(used(1), aLeaseIdle({ sequence: 2, unspent: 990 }));
    expect(await fixture.lease(10)).toMatchObject({ granted: 0, refusal: 'lease-closed' });
    expect(await fixture.lease(990, { lease: 2 })).toMatchObject({ granted: 990, fresh: true });
  });
});
