import { afterEach, describe, expect, test } from 'vitest';
import { anAccountCommand, aUsedRecord, userId } from '../../tests/support/account-examples.ts';
import { type KeeperFixture, openKeeperFixture } from '../../tests/support/keeper-fixture.ts';

const fixtures: KeeperFixture[] = [];
afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.stop();
});

/** An account of 100,000 units, with a charge for each amount: req-1, req-2, … */
const charged = async (...amounts: readonly number[]): Promise<KeeperFixture> => {
  const fixture = await openKeeperFixture();
  fixtures.push(fixture);
  await fixture.fund(100_000);
  const records = amounts.map((amount, index) =>
    aUsedRecord({ sequence: index + 1, amount, call: { requestId: `req-${index + 1}` } }),
  );
  await fixture.publish(...records);
  await fixture.until(() => fixture.events('RequestCharged').length === amounts.length);
  return fixture;
};

let nth = 0;
const commandId = (): string => {
  nth += 1;
  return `c-${nth}`;
};
const correct = ({ keeper }: KeeperFixture, delta: number, ...corrects: readonly string[]) =>
  keeper.execute(
    anAccountCommand(
      'PostCorrection',
      { userId, delta, corrects, reason: 'dispute' },
      { commandId: commandId() },
    ),
  );
const refund = (
  { keeper }: KeeperFixture,
  amount: number,
  { requestId = 'req-1', ...more }: Readonly<{ requestId?: string; atMost?: true }> = {},
) =>
  keeper.execute(
    anAccountCommand(
      'RefundRequest',
      { userId, requestId, amount, reason: 'task failed', ...more },
      { commandId: commandId() },
    ),
  );
const balanceOf = async ({ keeper }: KeeperFixture) => (await keeper.summary(userId))?.balance;
const tooMuch = (delta: number, left: number) => ({
  kind: 'rejected',
  code: 'account.correction-exceeds-charge',
  details: { delta, left },
});

describe('what is given back of one request', () => {
  test('is its charge at most, however often it is corrected', async () => {
    const fixture = await charged(2_004);
    expect(await correct(fixture, 2_004, 'req-1')).toMatchObject({ kind: 'accepted' });
    expect(await correct(fixture, 2_004, 'req-1')).toMatchObject(tooMuch(2_004, 0));
    expect(await correct(fixture, 1, 'req-1')).toMatchObject(tooMuch(1, 0));
    expect(await balanceOf(fixture)).toBe(100_000);
  });

  test('counts a correction in a refund, and a refund in a correction', async () => {
    const fixture = await charged(10_000, 10_000);
    await correct(fixture, 10_000, 'req-1');
    expect(await refund(fixture, 10_000)).toMatchObject({
      code: 'account.refund-exceeds-charge',
      details: { amount: 10_000, left: 0 },
    });
    await refund(fixture, 4_000, { requestId: 'req-2' });
    expect(await correct(fixture, 6_001, 'req-2')).toMatchObject(tooMuch(6_001, 6_000));
    expect(await correct(fixture, 6_000, 'req-2')).toMatchObject({ kind: 'accepted' });
    expect(await balanceOf(fixture)).toBe(100_000);
  });

  test('is bounded where commands are decided for the same append', async () => {
    const fixture = await charged(1_000);
    const results = await Promise.all([
      ...Array.from({ length: 10 }, () => correct(fixture, 300, 'req-1')),
      ...Array.from({ length: 10 }, () => refund(fixture, 300)),
    ]);
    expect(results.filter(({ kind }) => kind === 'accepted')).toHaveLength(3);
    expect(await balanceOf(fixture)).toBe(99_900);
  });

  test('is bounded where two keepers decide at the same moment', async () => {
    const fixture = await charged(1_000);
    const other = await fixture.another();
    fixtures.push(other);
    await other.keeper.summary(userId);
    const results = await Promise.all(
      [fixture, other, fixture, other].map((one) => correct(one, 600, 'req-1')),
    );
    expect(results.filter(({ kind }) => kind === 'accepted')).toHaveLength(1);
    expect(await balanceOf(fixture)).toBe(99_600);
  });

  test('is remembered after a restart of the keeper', async () => {
    const fixture = await charged(1_000);
    await correct(fixture, 700, 'req-1');
    const next = await fixture.another();
    fixtures.push(next);
    expect(await correct(next, 301, 'req-1')).toMatchObject(tooMuch(301, 300));
  });

  test('grows by what a correction charged on top', async () => {
    const fixture = await charged(1_000);
    expect(await correct(fixture, -500, 'req-1')).toMatchObject({ kind: 'accepted' });
    expect(await correct(fixture, 1_501, 'req-1')).toMatchObject(tooMuch(1_501, 1_500));
    expect(await refund(fixture, 1_500)).toMatchObject({ kind: 'accepted' });
    expect(await balanceOf(fixture)).toBe(100_000);
  });

  test('is what a failed task still gets back after a correction', async () => {
    const fixture = await charged(1_000);
    await correct(fixture, 300, 'req-1');
    expect(await refund(fixture, 1_000, { atMost: true })).toMatchObject({
      events: [{ data: { amount: 700 } }],
    });
    expect(await refund(fixture, 1_000, { atMost: true })).toMatchObject({ events: [] });
    expect(await balanceOf(fixture)).toBe(100_000);
  });
});

describe('a correction of several requests', () => {
  test('gives back what is left of all of them', async () => {
    const fixture = await charged(100, 50, 30);
    await refund(fixture, 80);
    expect(await correct(fixture, 101, 'req-1', 'req-2', 'req-3')).toMatchObject(tooMuch(101, 100));
    expect(await correct(fixture, 60, 'req-1', 'req-2', 'req-3')).toMatchObject({
      kind: 'accepted',
    });
    // 20 of the first, 40 of the second.
    expect(await correct(fixture, 1, 'req-1')).toMatchObject(tooMuch(1, 0));
    expect(await correct(fixture, 11, 'req-2')).toMatchObject(tooMuch(11, 10));
    expect(await correct(fixture, 31, 'req-3')).toMatchObject(tooMuch(31, 30));
  });

  test('counts for a request that another correction shares with it', async () => {
    const fixture = await charged(100, 100, 100);
    await correct(fixture, 60, 'req-3', 'req-1');
    await correct(fixture, 80, 'req-3', 'req-2');
    // The second took the 40 that the first had left of req-3, so 40 were taken from req-2.
    expect(await correct(fixture, 61, 'req-2')).toMatchObject(tooMuch(61, 60));
    expect(await correct(fixture, 101, 'req-1')).toMatchObject(tooMuch(101, 100));
  });

  test('means a charge once, by its request and by its event', async () => {
    const fixture = await charged(100);
    const stored = fixture.store.all.find(({ event }) => event.type === 'RequestCharged');
    const eventId = stored?.eventId ?? '';
    expect(await correct(fixture, 101, eventId, 'req-1')).toMatchObject(tooMuch(101, 100));
    expect(await correct(fixture, 60, eventId)).toMatchObject({ kind: 'accepted' });
    expect(await correct(fixture, 60, 'req-1')).toMatchObject(tooMuch(60, 40));
    expect(await refund(fixture, 41)).toMatchObject({ details: { left: 40 } });
  });

  test('that was taken back is as if it had not been', async () => {
    const fixture = await charged(50, 50);
    await correct(fixture, 80, 'req-1', 'req-2');
    await correct(fixture, -80, 'req-1', 'req-2');
    expect(await refund(fixture, 50)).toMatchObject({ kind: 'accepted' });
    expect(await refund(fixture, 50, { requestId: 'req-2' })).toMatchObject({ kind: 'accepted' });
  });
});

test('only what was charged to the account is corrected', async () => {
  const fixture = await charged(100);
  const grant = fixture.store.all.find(({ event }) => event.type === 'QuotaGranted');
  for (const name of [grant?.eventId ?? '', 'req-of-another']) {
    for (const delta of [1, -1]) {
      expect(await correct(fixture, delta, 'req-1', name)).toMatchObject({
        code: 'account.not-charged',
        details: { id: name },
      });
    }
  }
  expect(await correct(fixture, 1)).toMatchObject({ code: 'account.not-charged' });
});

test("a caller's claims about a charge are ignored", async () => {
  const { keeper } = await charged(100);
  const charge = { amount: 5_000, refunded: 0, tokenId: 1 };
  const asked = { userId, requestId: 'req-9', amount: 5_000, reason: 'r', charge };
  const command = anAccountCommand('RefundRequest', asked, { commandId: 'forged' });
  expect(await keeper.execute(command)).toMatchObject({ code: 'account.not-charged' });
});
