import { afterEach, describe, expect, test } from 'vitest';
import { accountPartitions } from '../../domain/account/messages.ts';
import {
  aFailedRecord,
  anAccountCommand,
  aStartedRecord,
  aUsedRecord,
  leaseId,
  relayId,
  tokenId,
  userId,
} from '../../tests/support/account-examples.ts';
import { type KeeperDesk, openKeeperDesk } from '../../tests/support/keeper-desk.ts';

const desks: KeeperDesk[] = [];
const open = async (desk: Promise<KeeperDesk> = openKeeperDesk()): Promise<KeeperDesk> => {
  const opened = await desk;
  desks.push(opened);
  return opened;
};
afterEach(async () => {
  for (const desk of desks.splice(0)) await desk.stop();
});

const used = (sequence: number, amount = 10) =>
  aUsedRecord({ sequence, amount, call: { requestId: `req-${sequence}` } });
const balanceOf = async ({ keeper }: KeeperDesk) => (await keeper.glance(userId))?.balance;

describe('leasing', () => {
  test('a lease is set aside, and the balance stays what it was', async () => {
    const desk = await open();
    await desk.fund(1_000);
    const reply = await desk.lease(100);
    expect(reply).toEqual({
      leaseId,
      granted: 100,
      refusal: null,
      balance: 1_000,
      tokenRemain: 1_000,
      fresh: true,
    });
    expect((await desk.lease(1_000)).granted).toBe(900);
    expect(await desk.lease(1)).toMatchObject({ granted: 0, refusal: 'balance-exhausted' });
    expect(await balanceOf(desk)).toBe(1_000);
  });

  test('an ask that is repeated gets the same grant once', async () => {
    const desk = await open();
    await desk.fund(1_000);
    const first = await desk.lease(100, { ask: 1 });
    expect(await desk.lease(100, { ask: 1 })).toEqual(first);
    expect(desk.events('QuotaLeased')).toHaveLength(1);
  });

  test('nobody leases from an account that does not exist', async () => {
    const desk = await open();
    expect(await desk.lease(1)).toMatchObject({ granted: 0, refusal: 'no-account' });
  });

  test('a hundred asks at the same moment share what there is, to the unit', async () => {
    const desk = await open();
    await desk.fund(1_000);
    const replies = await Promise.all(Array.from({ length: 100 }, () => desk.lease(30)));
    expect(replies.reduce((sum, { granted }) => sum + granted, 0)).toBe(1_000);
  });

  test('a malformed ask is refused and changes nothing', async () => {
    const desk = await open();
    await desk.fund(1_000);
    await expect(desk.lease(-5)).rejects.toThrow();
    expect(desk.events('QuotaLeased')).toHaveLength(0);
  });
});

describe('settlement', () => {
  test('charges and leases go on behind events that nobody can read, after a restart too', async () => {
    const desk = await open();
    await desk.fund(1_000);
    desk.store.appendUnreadable(`account-${userId}`);
    desk.store.appendUnreadable(`leasedAccounts-${userId % accountPartitions}`);
    expect((await desk.lease(100)).granted).toBe(100);
    await desk.publish(used(1));
    await desk.until(() => desk.events('RequestCharged').length === 1);
    desk.store.appendUnreadable(`account-${userId}`);
    await desk.stop();
    const next = await open(desk.another());
    await next.publish(used(2));
    await next.until(() => next.events('RequestCharged').length === 2);
    expect(await balanceOf(next)).toBe(980);
  });

  test('a record is charged to the unit, against lease, token and account', async () => {
    const desk = await open();
    await desk.fund(1_000);
    await desk.lease(100);
    await desk.publish(used(1, 30), used(2, 12));
    const glance = await desk.keeper.glance(userId);
    expect(glance).toMatchObject({ balance: 958, used: 42, requestCount: 2 });
    expect(glance?.tokens.get(tokenId)).toEqual({ unlimited: false, remain: 958, used: 42 });
    expect(desk.events('RequestCharged').map(({ data }) => data.balanceAfter)).toEqual([970, 958]);
  });

  test('records that come twice are charged once', async () => {
    const desk = await open();
    await desk.fund(1_000);
    await desk.publish(used(1), used(2));
    await desk.publish(used(1), used(2), used(3));
    expect(await balanceOf(desk)).toBe(970);
  });

  test('records that come twice are charged once, after a restart too', async () => {
    const desk = await open();
    await desk.fund(1_000);
    await desk.publish(used(1), used(2), used(3));
    await desk.stop();
    const next = await open(desk.another());
    await next.publish(used(2), used(3), used(4));
    expect(await balanceOf(next)).toBe(960);
  });

  test('batches that overtake each other are all charged, once', async () => {
    const desk = await open();
    await desk.fund(1_000);
    await desk.publish(used(3), used(4));
    await desk.publish(used(1), used(2));
    await desk.publish(used(1), used(4));
    expect(await balanceOf(desk)).toBe(960);
  });

  test('thousands of charges fall back on the stream when memory has forgotten their ids', async () => {
    const desk = await open();
    await desk.fund(100_000);
    const records = Array.from({ length: 2_600 }, (_, i) => used(i + 1));
    await desk.publish(...records);
    const reads = desk.store.reads;
    await desk.publish(...records.slice(0, 5));
    expect(desk.store.reads).toBeGreaterThan(reads);
    expect(desk.events('RequestCharged')).toHaveLength(2_600);
    expect(await balanceOf(desk)).toBe(74_000);
  });

  test('a restart reads the newest snapshot and what follows it', async () => {
    const desk = await open();
    await desk.fund(100_000);
    await desk.publish(...Array.from({ length: 1_200 }, (_, i) => used(i + 1)));
    await desk.until(() =>
      desk.store.all.some(({ event }) => event.type === 'AccountSnapshotTaken'),
    );
    await desk.stop();
    const next = await open(desk.another());
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

  test('a record that nobody can settle is set aside, and the others are charged', async () => {
    const desk = await open();
    await desk.fund(1_000);
    const broken = { ...used(2), quote: { kind: 'ratio' } } as unknown as ReturnType<typeof used>;
    await desk.publish(used(1), broken, used(3));
    expect(await balanceOf(desk)).toBe(980);
    expect(desk.store.all.filter(({ event }) => event.type === 'UsageRecordSetAside')).toHaveLength(
      1,
    );
  });

  test('a failed request stands in the error log of its relay and moves no quota', async () => {
    const desk = await open();
    await desk.fund(1_000);
    await desk.publish(aFailedRecord());
    const logged = desk.store.all.filter(({ streamId }) => streamId === `relay-${relayId}`);
    expect(logged.map(({ event }) => event.type)).toEqual(['RequestFailed']);
    expect(await balanceOf(desk)).toBe(1_000);
  });

  test('a returned lease is free again, for whoever asks next', async () => {
    const desk = await open();
    await desk.fund(1_000);
    await desk.lease(1_000);
    const idle = { kind: 'lease-idle' as const, relayId, userId, sequence: 2, leaseId };
    await desk.publish(used(1), { ...idle, unspent: 990 });
    expect(await desk.lease(990)).toMatchObject({ granted: 990, fresh: true });
  });
});

describe('relays that die', () => {
  const noLeaseLeft = (desk: KeeperDesk) => () => desk.events('LeaseExpired').length > 0;

  test('the lease of a silent relay expires and its quota is free again', async () => {
    const desk = await open();
    await desk.fund(1_000);
    await desk.lease(400);
    await desk.publish(used(1, 30));
    desk.advance(31_000);
    await desk.until(noLeaseLeft(desk));
    expect(desk.events('LeaseExpired')[0]?.data.unspent).toBe(370);
    const other = await desk.lease(970, { relayId: 'relay-b' });
    expect(other.granted).toBe(970);
  });

  test('a relay that says it lives keeps its lease', async () => {
    const desk = await open();
    await desk.fund(1_000);
    await desk.lease(400);
    for (let i = 0; i < 4; i += 1) {
      desk.advance(20_000);
      desk.bus.publish('relay.alive', { relayId });
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    expect(desk.events('LeaseExpired')).toHaveLength(0);
  });

  test('after a restart the lease of an account that nobody touches expires all the same', async () => {
    const desk = await open();
    await desk.fund(1_000);
    await desk.lease(400);
    await desk.stop();
    const next = await open(desk.another());
    await next.until(() => next.keeper.ready().detail.unread === 0);
    next.advance(29_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(next.events('LeaseExpired')).toHaveLength(0);
    next.advance(2_000);
    await next.until(noLeaseLeft(next));
    expect((await next.lease(1_000, { relayId: 'relay-b' })).granted).toBe(1_000);
  });

  test('its open requests are abandoned, and a record that comes late is charged once', async () => {
    const desk = await open();
    await desk.fund(1_000);
    await desk.lease(400);
    await desk.publish(
      aStartedRecord({ sequence: 1, requestId: 'req-2' }),
      aStartedRecord({ sequence: 2, requestId: 'req-3' }),
    );
    await desk.publish(used(3, 30));
    desk.advance(31_000);
    await desk.until(() => desk.events('RequestAbandoned').length > 0);
    expect(desk.events('RequestAbandoned').map(({ data }) => data.requestId)).toEqual(['req-2']);
    const late = aUsedRecord({ sequence: 4, amount: 20, call: { requestId: 'req-2' } });
    await desk.publish(late);
    await desk.publish(late);
    expect(await balanceOf(desk)).toBe(950);
  });

  test('a request that its journal reports as lost is abandoned unless it was charged', async () => {
    const desk = await open();
    await desk.fund(1_000);
    await desk.publish(used(1, 30));
    await desk.stop();
    const next = await open(desk.another());
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
    const desk = await open();
    await desk.fund(1_000);
    const first = await desk.keeper.execute(grant(50, 'again'));
    const second = await desk.keeper.execute(grant(50, 'again'));
    expect(await balanceOf(desk)).toBe(1_050);
    expect(second).toEqual({ ...first, repeated: true });
  });

  test('the same command twice at the same moment moves money once', async () => {
    const desk = await open();
    await desk.fund(1_000);
    await Promise.all(Array.from({ length: 20 }, () => desk.keeper.execute(grant(50, 'at-once'))));
    expect(await balanceOf(desk)).toBe(1_050);
  });

  test('a command id that was used for another wish is refused', async () => {
    const desk = await open();
    await desk.fund(1_000);
    await desk.keeper.execute(grant(50, 'one'));
    expect(await desk.keeper.execute(grant(60, 'one'))).toMatchObject({
      kind: 'rejected',
      code: 'request.idempotency-conflict',
    });
  });

  test('a refund gives back at most what the stream says was charged', async () => {
    const desk = await open();
    await desk.fund(1_000);
    await desk.publish(used(1, 30));
    const refund = (amount: number, commandId: string) =>
      desk.keeper.execute(
        anAccountCommand(
          'RefundRequest',
          { userId, requestId: 'req-1', amount, reason: 'task failed' },
          { commandId },
        ),
      );
    expect(await refund(20, 'r-1')).toMatchObject({ kind: 'accepted' });
    expect(await refund(20, 'r-2')).toMatchObject({ code: 'account.refund-exceeds-charge' });
    expect(await refund(10, 'r-3')).toMatchObject({ kind: 'accepted' });
    expect(await balanceOf(desk)).toBe(1_000);
  });
});
