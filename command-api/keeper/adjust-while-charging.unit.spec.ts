import { afterEach, expect, test } from 'vitest';
import { anAccountCommand, aUsedRecord, userId } from '../../tests/support/account-examples.ts';
import { type KeeperFixture, openKeeperFixture } from '../../tests/support/keeper-fixture.ts';

let fixture: KeeperFixture;
afterEach(() => fixture.stop());

const charges = 1_000;
const cost = 10;
const adjustments = 20;
const added = 777;

const used = (sequence: number) =>
  aUsedRecord({ sequence, amount: cost, call: { requestId: `req-${sequence}` } });

test('adjustments by people while a thousand charges run lose neither', async () => {
  fixture = await openKeeperFixture();
  await fixture.fund(1_000_000);
  await fixture.lease(charges * cost);
  const charging = async (): Promise<void> => {
    for (let sequence = 1; sequence <= charges; sequence += 25) {
      await fixture.publish(...Array.from({ length: 25 }, (_, nth) => used(sequence + nth)));
    }
  };
  const adjusting = async (): Promise<void> => {
    for (let nth = 0; nth < adjustments; nth += 1) {
      const seen = (await fixture.keeper.summary(userId))?.balance ?? null;
      const payload = {
        userId,
        delta: added,
        seen,
        reason: { kind: 'set-by-admin', note: 'a gift' },
      } as const;
      const commandId = { commandId: `adjust-${nth}` };
      await fixture.keeper.execute(anAccountCommand('AdjustQuota', payload, commandId));
    }
  };
  await Promise.all([charging(), adjusting()]);
  const account = await fixture.keeper.summary(userId);
  expect(account).toMatchObject({
    balance: 1_000_000 - charges * cost + adjustments * added,
    used: charges * cost,
  });
  expect(fixture.events('RequestCharged')).toHaveLength(charges);
  expect(fixture.events('QuotaAdjusted')).toHaveLength(adjustments);
});
