import { afterEach, expect, test } from 'vitest';
import { anAccountCommand, aUsedRecord, userId } from '../../tests/support/account-examples.ts';
import { type KeeperDesk, openKeeperDesk } from '../../tests/support/keeper-desk.ts';

let desk: KeeperDesk;
afterEach(() => desk.stop());

const charges = 1_000;
const cost = 10;
const adjustments = 20;
const added = 777;

const used = (sequence: number) =>
  aUsedRecord({ sequence, amount: cost, call: { requestId: `req-${sequence}` } });

test('adjustments by people while a thousand charges run lose neither', async () => {
  desk = await openKeeperDesk();
  await desk.fund(1_000_000);
  await desk.lease(charges * cost);
  const charging = async (): Promise<void> => {
    for (let sequence = 1; sequence <= charges; sequence += 25) {
      await desk.publish(...Array.from({ length: 25 }, (_, nth) => used(sequence + nth)));
    }
  };
  const adjusting = async (): Promise<void> => {
    for (let nth = 0; nth < adjustments; nth += 1) {
      const seen = (await desk.keeper.glance(userId))?.balance ?? null;
      const wish = { userId, delta: added, seen, reason: 'a gift' };
      const commandId = { commandId: `adjust-${nth}` };
      await desk.keeper.execute(anAccountCommand('AdjustQuota', wish, commandId));
    }
  };
  await Promise.all([charging(), adjusting()]);
  const books = await desk.keeper.glance(userId);
  expect(books).toMatchObject({
    balance: 1_000_000 - charges * cost + adjustments * added,
    used: charges * cost,
  });
  expect(desk.events('RequestCharged')).toHaveLength(charges);
  expect(desk.events('QuotaAdjusted')).toHaveLength(adjustments);
});
