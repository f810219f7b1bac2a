import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RequestUsed } from '../../domain/account/messages.ts';
import { verify } from '../../infra/verify/verify.ts';
import {
  aUsedRecord,
  leaseId,
  relayId,
  tokenId,
  userId,
} from '../../tests/support/account-examples.ts';
import { type KeeperDesk, openKeeperDesk } from '../../tests/support/keeper-desk.ts';

/* Whoever holds a relay's credentials can put any record on the queue. */

let desk: KeeperDesk;
beforeEach(async () => {
  desk = await openKeeperDesk();
  await desk.fund(1_000_000);
});
afterEach(() => desk.stop());

const balance = async (): Promise<number | undefined> =>
  (await desk.keeper.glance(userId))?.balance;
const setAside = (): readonly string[] =>
  desk.store.all.flatMap(({ event }) =>
    event.type === 'UsageRecordSetAside' ? [(event.data as { reason: string }).reason] : [],
  );
let sequence = 0;
const used = (amount: number, changes: Partial<RequestUsed> = {}): RequestUsed => {
  sequence += 1;
  const { call: _call, usage: _usage, quote: _quote, ...rest } = changes;
  return aUsedRecord({ amount, sequence, call: { requestId: `r-${sequence}` }, ...rest });
};

describe('usage that no lease allows is set aside, and nothing is charged', () => {
  test('of an account on which the relay was granted nothing', async () => {
    await desk.publish(used(37_500_015));
    expect(await balance()).toBe(1_000_000);
    expect(setAside()).toEqual(['account.not-leased']);
  });

  test('without a lease, or under one of another account or token', async () => {
    await desk.lease(1_000);
    await desk.publish(used(10, { leaseId: null }));
    await desk.publish(used(10, { leaseId: `${relayId}.${userId}.${tokenId + 1}` }));
    await desk.publish(used(10, { leaseId: `${relayId}.${userId + 1}.${tokenId}` }));
    expect(await balance()).toBe(1_000_000);
    expect(setAside()).toEqual([
      'account.not-leased',
      'account.lease-of-another',
      'account.lease-of-another',
    ]);
  });

  test("under another relay's lease, whichever of the two it says it is", async () => {
    await desk.lease(1_000);
    const forger = { relayId: 'relay-forged' };
    await desk.publish(used(10, forger));
    await desk.publish({
      ...used(10, forger),
      call: { ...used(10).call, relayId: 'relay-forged' },
    });
    expect(await balance()).toBe(1_000_000);
    expect(setAside()).toEqual(['account.lease-of-another', 'account.not-leased']);
  });

  test('far above the lease, at once or little by little', async () => {
    await desk.lease(1_000);
    await desk.publish(used(2_000_000_000));
    expect(await balance()).toBe(1_000_000);
    for (let time = 0; time < 20; time += 1) await desk.publish(used(49_000_000));
    expect(await balance()).toBeGreaterThanOrEqual(-500_000_000);
    expect(setAside().length).toBeGreaterThan(1);
    expect(new Set(setAside())).toEqual(new Set(['account.beyond-lease']));
  });

  test('a lease that was only said to be lost opens nothing', async () => {
    const { requestId } = used(10).call;
    const startedAt = '2026-03-01T08:00:00.000Z';
    const lost = { relayId, userId, sequence: 1, requestId, tokenId, leaseId, reserved: 5 };
    await desk.publish({ kind: 'lost', ...lost, startedAt });
    await desk.publish(used(10));
    expect(setAside()).toEqual(['account.not-leased']);
  });

  test('and verify names each one', async () => {
    await desk.publish(used(37_500_015));
    const report = await verify({
      eventStore: desk.store,
      readModels: null,
      clock: () => new Date('2026-03-01T08:00:10.000Z'),
    });
    expect(report.breakCounts['usage-set-aside']).toBe(1);
    expect(report.breaks.find(({ kind }) => kind === 'usage-set-aside')?.detail).toMatch(
      /^account\.not-leased: .*"relayId":"relay-a"/,
    );
  });
});

describe('honest usage is charged', () => {
  test('within the lease, and beyond it as far as an answer may outgrow its estimate', async () => {
    await desk.lease(1_000);
    await desk.publish(used(900), used(200_000));
    expect(await balance()).toBe(1_000_000 - 200_900);
    expect(setAside()).toEqual([]);
  });

  test('when it comes after its lease expired, although the quota went to others', async () => {
    const { granted } = await desk.lease(1_000_000);
    expect(granted).toBe(1_000_000);
    desk.advance(120_000);
    await desk.until(() => desk.events('LeaseExpired').length === 1);
    await desk.lease(1_000_000, { relayId: 'relay-b' });
    await desk.publish(used(600_000), used(400_000));
    expect(await balance()).toBe(0);
    expect(setAside()).toEqual([]);
  });

  test('after the keeper started anew, and when the lease went back in order', async () => {
    await desk.lease(1_000);
    await desk.publish(used(300));
    const next = await desk.another();
    await next.publish(used(300));
    const idle = { kind: 'lease-idle' as const, relayId, userId, sequence: 999, leaseId };
    await next.publish({ ...idle, unspent: 400 }, used(5));
    expect((await next.keeper.glance(userId))?.balance).toBe(1_000_000 - 605);
    expect(setAside()).toEqual([]);
    await next.stop();
  });

  test('costs nothing without a lease, as steps of tasks may', async () => {
    await desk.publish(used(0, { leaseId: null }));
    expect(desk.events('RequestCharged')).toHaveLength(1);
  });
});
