import { afterEach, describe, expect, test } from 'vitest';
import {
  anAccountCommand,
  aStartedRecord,
  aUsedRecord,
  leaseId,
  relayId,
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

describe('leasing', () => {
  test('a lease is set aside, and the balance stays what it was', async () => {
    const fixture = await open();
    await fixture.fund(1_000);
    const reply = await fixture.lease(100);
    expect(reply).toEqual({
      leaseId,
      producerId: 1,
      granted: 100,
      refusal: null,
      balance: 1_000,
      tokenRemain: 1_000,
      fresh: true,
    });
    expect((await fixture.lease(1_000)).granted).toBe(900);
    expect(await fixture.lease(1)).toMatchObject({ granted: 0, refusal: 'balance-exhausted' });
    expect(await balanceOf(fixture)).toBe(1_000);
  });

  test('a repeated lease request gets the same grant once', async () => {
    const fixture = await open();
    await fixture.fund(1_000);
    const first = await fixture.lease(100, { ask: 1 });
    expect(await fixture.lease(100, { ask: 1 })).toEqual(first);
    expect(fixture.events('QuotaLeased')).toHaveLength(1);
  });

  test('a lease request for a missing account is refused', async () => {
    const fixture = await open();
    expect(await fixture.lease(1)).toMatchObject({ granted: 0, refusal: 'no-account' });
  });

  test('a hundred simultaneous lease requests share the balance, to the unit', async () => {
    const fixture = await open();
    await fixture.fund(1_000);
    const replies = await Promise.all(Array.from({ length: 100 }, () => fixture.lease(30)));
    expect(replies.reduce((sum, { granted }) => sum + granted, 0)).toBe(1_000);
  });

  test('a malformed lease request is refused and changes nothing', async () => {
    const fixture = await open();
    await fixture.fund(1_000);
    await expect(fixture.lease(-5)).rejects.toThrow();
    expect(fixture.events('QuotaLeased')).toHaveLength(0);
  });
});

describe('relays that die', () => {
  const noLeaseLeft = (fixture: KeeperFixture) => () => fixture.events('LeaseExpired').length > 0;

  test('the lease of a silent relay expires and its quota is free again', async () => {
    const fixture = await open();
    await fixture.fund(1_000);
    await fixture.lease(400);
    await fixture.publish(used(1, 30));
    fixture.advance(61_000);
    await fixture.until(noLeaseLeft(fixture));
    expect(fixture.events('LeaseExpired')[0]?.data.unspent).toBe(370);
    const other = await fixture.lease(970, { relayId: 'relay-b' });
    expect(other.granted).toBe(970);
  });

  test('a relay that sends heartbeats keeps its lease', async () => {
    const fixture = await open();
    await fixture.fund(1_000);
    await fixture.lease(400);
    for (let i = 0; i < 4; i += 1) {
      fixture.advance(40_000);
      fixture.bus.publish('relay.alive', { relayId });
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    expect(fixture.events('LeaseExpired')).toHaveLength(0);
  });

  test('after a restart the lease of an untouched account expires all the same', async () => {
    const fixture = await open();
    await fixture.fund(1_000);
    await fixture.lease(400);
    await fixture.stop();
    const next = await open(fixture.another());
    await next.until(() => next.keeper.ready().detail.unread === 0);
    next.advance(59_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(next.events('LeaseExpired')).toHaveLength(0);
    next.advance(2_000);
    await next.until(noLeaseLeft(next));
    expect((await next.lease(1_000, { relayId: 'relay-b' })).granted).toBe(1_000);
  });

  test('its open requests are abandoned, and a late record is charged once', async () => {
    const fixture = await open();
    await fixture.fund(1_000);
    await fixture.lease(400);
    await fixture.publish(
      aStartedRecord({ sequence: 1, requestId: 'req-2' }),
      aStartedRecord({ sequence: 2, requestId: 'req-3' }),
    );
    await fixture.publish({ ...used(3, 30), usageNumber: { producerId: 1, number: 1 } });
    fixture.advance(61_000);
    await fixture.until(() => fixture.events('RequestAbandoned').length > 0);
    expect(fixture.events('RequestAbandoned').map(({ data }) => data.requestId)).toEqual(['req-2']);
    const usageNumber = { producerId: 1, number: 2 };
    const late = aUsedRecord({ usageNumber, amount: 20, call: { requestId: 'req-2' } });
    await fixture.publish(late);
    await fixture.publish(late);
    expect(await balanceOf(fixture)).toBe(950);
  });

  test('a request that its journal reports as lost is abandoned unless it was charged', async () => {
    const fixture = await open();
    await fixture.fund(1_000);
    await fixture.publish(used(1, 30));
    await fixture.stop();
    const next = await open(fixture.another());
    const lost = { ...aStartedRecord(), kind: 'lost' as const };
    await next.publish(
      { ...lost, sequence: 8, requestId: 'req-1' },
      { ...lost, sequence: 9, requestId: 'req-9' },
    );
    expect(next.events('RequestAbandoned').map(({ data }) => data.requestId)).toEqual(['req-9']);
  });
});

describe('commands', () => {
  const grant = (amount: number, commandId: string) =>
    anAccountCommand(
      'GrantQuota',
      { userId, amount, source: 'topup', reference: 'trade-2' },
      { commandId },
    );

  test('the same command twice moves money once and answers the same', async () => {
    const fixture = await open();
    await fixture.fund(1_000);
    const first = await fixture.keeper.execute(grant(50, 'again'));
    const second = await fixture.keeper.execute(grant(50, 'again'));
    expect(await balanceOf(fixture)).toBe(1_050);
    expect(second).toEqual({ ...first, repeated: true });
  });

  test('the same command twice at the same moment moves money once', async () => {
    const fixture = await open();
    await fixture.fund(1_000);
    await Promise.all(
      Array.from({ length: 20 }, () => fixture.keeper.execute(grant(50, 'at-once'))),
    );
    expect(await balanceOf(fixture)).toBe(1_050);
  });

  test('a command id that was used for another wish is refused', async () => {
    const fixture = await open();
    await fixture.fund(1_000);
    await fixture.keeper.execute(grant(50, 'one'));
    expect(await fixture.keeper.execute(grant(60, 'one'))).toMatchObject({
      kind: 'rejected',
      code: 'request.idempotency-conflict',
    });
  });

  test('a refund gives back at most what the stream shows as charged', async () => {
    const fixture = await open();
    await fixture.fund(1_000);
    await fixture.publish(used(1, 30));
    const refund = (amount: number, commandId: string) =>
      fixture.keeper.execute(
        anAccountCommand(
          'RefundRequest',
          { userId, requestId: 'req-1', amount, reason: 'task failed' },
          { commandId },
        ),
      );
    expect(await refund(20, 'r-1')).toMatchObject({ kind: 'accepted' });
    expect(await refund(20, 'r-2')).toMatchObject({ code: 'account.refund-exceeds-charge' });
    expect(await refund(10, 'r-3')).toMatchObject({ kind: 'accepted' });
    expect(await balanceOf(fixture)).toBe(1_000);
  });
});
