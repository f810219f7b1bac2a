import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountSnapshotStreamId } from '../../domain/account/stream.ts';
import { anAccountCommand, aUsedRecord, userId } from '../../tests/support/account-examples.ts';
import { type KeeperFixture, openKeeperFixture } from '../../tests/support/keeper-fixture.ts';

const used = (sequence: number) =>
  aUsedRecord({ sequence, amount: 10, call: { requestId: `req-${sequence}` } });
const records = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, nth) => used(from + nth));

let fixture: KeeperFixture;
beforeEach(async () => {
  fixture = await openKeeperFixture({ keep: 2 });
  await fixture.fund(100_000);
});
afterEach(() => fixture.stop());

const snapshots = () =>
  fixture.store.all.filter(({ streamId }) => streamId === accountSnapshotStreamId(userId));
const isTaken = (count: number) => () => snapshots().length === count;

describe('the snapshot of an account', () => {
  test('is taken after 250 events, in the name of the keeper, and its stream holds one', async () => {
    const bounds: unknown[] = [];
    fixture.store.boundStream = async (streamId, bound) => {
      bounds.push([streamId, bound]);
    };
    await fixture.publish(...records(1, 246));
    expect(snapshots()).toHaveLength(0);
    await fixture.publish(used(247));
    await fixture.until(isTaken(1));
    expect(snapshots()[0]?.metadata).toMatchObject({
      actor: { kind: 'system', id: 'keeper' },
      commandId: `accountSnapshot-${userId}@250`,
      occurredAt: '2026-03-01T08:00:00.000Z',
    });
    await fixture.publish(...records(248, 500));
    await fixture.until(isTaken(2));
    await fixture.until(() => bounds.length > 0);
    expect(bounds).toEqual([[accountSnapshotStreamId(userId), { maxCount: 1 }]]);
  });
  test('that cannot be opened is passed over, and the log is read from its beginning', async () => {
    await fixture.publish(...records(1, 300));
    await fixture.until(isTaken(1));
    const [newest] = snapshots();
    if (newest === undefined) throw new Error('there is a snapshot');
    const event = { ...newest.event, data: { ...(newest.event.data as object), version: 0 } };
    await fixture.store.append(
      accountSnapshotStreamId(userId),
      [{ event, eventId: 'another', metadata: newest.metadata }],
      'any',
    );
    const next = await fixture.another();
    expect((await next.keeper.summary(userId))?.balance).toBe(97_000);
    await next.stop();
  });
  test('that cannot be written stops nothing', async () => {
    fixture.store.beforeAppend = async (streamId) => {
      if (streamId === accountSnapshotStreamId(userId)) throw new Error('the log is away');
    };
    await fixture.publish(...records(1, 300));
    expect((await fixture.keeper.summary(userId))?.balance).toBe(97_000);
    expect(snapshots()).toHaveLength(0);
  });
});

describe('accounts in memory', () => {
  test('are dropped beyond their number, and are the same when they are read again', async () => {
    for (const other of [8, 9, 10]) await fixture.keeper.summary(other);
    expect(fixture.keeper.ready().detail.accounts).toBe(2);
    expect((await fixture.keeper.summary(userId))?.balance).toBe(100_000);
    expect(await fixture.keeper.summary(8)).toBeNull();
  });
  test('that were used last stay', async () => {
    await fixture.keeper.summary(8);
    await fixture.keeper.summary(userId);
    await fixture.keeper.summary(9);
    const { reads } = fixture.store;
    await fixture.lease(1);
    await fixture.publish(used(1));
    // The list of leases is read once; the account itself is not.
    expect(fixture.store.reads - reads).toBeLessThanOrEqual(1);
  });
});

describe('the keeper', () => {
  test('returns the place of a command in the log', async () => {
    const grant = anAccountCommand(
      'GrantQuota',
      { userId, amount: 5, source: 'topup', reference: 'trade-2' },
      { commandId: 'g' },
    );
    const result = await fixture.keeper.execute(grant);
    expect(result).toMatchObject({ position: fixture.store.all.at(-1)?.position });
    const again = anAccountCommand('OpenAccount', { userId }, { commandId: 'open-2' });
    expect(await fixture.keeper.execute(again)).toMatchObject({ events: [], position: null });
  });
  test('ends only when what is under way is in the log', async () => {
    let isWritten = false;
    fixture.store.beforeAppend = async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      isWritten = true;
    };
    const leased = fixture.lease(10);
    await new Promise((resolve) => setImmediate(resolve));
    await fixture.keeper.stop();
    expect(isWritten).toBe(true);
    await leased;
  });
});
