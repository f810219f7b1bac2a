import { afterEach, beforeEach, expect, test } from 'vitest';
import { anAccountCommand, userId } from '../../tests/support/account-examples.ts';
import { type KeeperFixture, openKeeperFixture } from '../../tests/support/keeper-fixture.ts';
import { openOnDemand } from './open-on-demand.ts';

let fixture: KeeperFixture;
beforeEach(async () => {
  fixture = await openKeeperFixture();
});
afterEach(() => fixture.stop());

const grant = anAccountCommand(
  'GrantQuota',
  { userId, amount: 500, source: 'redemption', reference: 'code-1' },
  { commandId: 'grant-1' },
);

test('a grant that arrives before its account is opened is credited once', async () => {
  const accounts = openOnDemand(fixture.keeper, async () => true);
  expect(await accounts.execute(grant)).toMatchObject({ kind: 'accepted', repeated: false });
  expect(await accounts.execute(grant)).toMatchObject({ kind: 'accepted', repeated: true });
  await accounts.execute(anAccountCommand('OpenAccount', { userId }, { commandId: 'process' }));
  expect(fixture.events('AccountOpened')).toHaveLength(1);
  expect(await accounts.summary(userId)).toMatchObject({ balance: 500 });
});

test('nothing is opened for an id that is no user', async () => {
  const accounts = openOnDemand(fixture.keeper, async () => false);
  expect(await accounts.execute(grant)).toMatchObject({ code: 'account.not-open' });
  expect(fixture.events('AccountOpened')).toEqual([]);
});
