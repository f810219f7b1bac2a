import { afterEach, describe, expect, test } from 'vitest';
import type { AccountCommand } from '../../domain/account/commands.ts';
import { anAccountCommand, aUsedRecord, userId } from '../../tests/support/account-examples.ts';
import { type KeeperFixture, openKeeperFixture } from '../../tests/support/keeper-fixture.ts';

const fixtures: KeeperFixture[] = [];
afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.stop();
});

/** Two keepers over one log that both have the account in memory, with a charge of 100 units. */
const twoKeepers = async (): Promise<readonly [KeeperFixture, KeeperFixture]> => {
  const first = await openKeeperFixture();
  fixtures.push(first);
  await first.fund(1_000);
  await first.publish(aUsedRecord({ sequence: 1, amount: 100, call: { requestId: 'req-1' } }));
  await first.until(() => first.events('RequestCharged').length === 1);
  const second = await first.another();
  fixtures.push(second);
  expect((await second.keeper.summary(userId))?.balance).toBe(900);
  return [first, second];
};

const refund = (amount: number): AccountCommand =>
  anAccountCommand(
    'RefundRequest',
    { userId, requestId: 'req-1', amount, reason: 'task.settled', atMost: true },
    { commandId: 'settled' },
  );
const adjust = (delta: number): AccountCommand =>
  anAccountCommand(
    'AdjustQuota',
    { userId, delta, seen: null, reason: { kind: 'other', note: 'by hand' } },
    { commandId: 'adjusted' },
  );
const grant = (amount: number): AccountCommand =>
  anAccountCommand(
    'GrantQuota',
    { userId, amount, source: 'topup', reference: 'later' },
    { commandId: 'granted' },
  );

/** The keeper's continuation, from the content of its next event. */
const balanceIn = async ({ keeper, events }: KeeperFixture): Promise<number> => {
  await keeper.execute(grant(1));
  return (events('QuotaGranted').at(-1)?.data.balanceAfter ?? 0) - 1;
};

describe('the same command, carried out by two keepers that both have the account in memory', () => {
  test('gives back once, and both continue with the same balance', async () => {
    const [first, second] = await twoKeepers();
    await first.keeper.execute(refund(80));
    const again = await second.keeper.execute(refund(80));
    expect(again).toMatchObject({ kind: 'accepted', events: [{ data: { amount: 80 } }] });
    expect(first.events('RequestRefunded')).toHaveLength(1);
    expect(await balanceIn(second)).toBe(980);
  });

  test('is refused the second time when its content differs', async () => {
    const [first, second] = await twoKeepers();
    expect(await first.keeper.execute(adjust(50))).toMatchObject({ kind: 'accepted' });
    expect(await second.keeper.execute(adjust(70))).toMatchObject({
      kind: 'rejected',
      code: 'request.idempotency-conflict',
    });
    expect(await balanceIn(second)).toBe(950);
  });
});
