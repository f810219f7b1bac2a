import { afterEach, beforeEach, expect, test } from 'vitest';
import { rootUser, startWriteSide, type WriteSide } from '../../tests/support/write-side.ts';

let side: WriteSide;
beforeEach(async () => {
  side = await startWriteSide();
});
afterEach(() => side.stop());

test('the first visitor sets the site up and signs in as its super admin', async () => {
  const visitor = side.person();
  const body = { ...rootUser, confirmPassword: rootUser.password, SelfUseModeEnabled: true };
  const setup = await visitor.call('POST', '/api/setup', { body });
  expect(setup.body).toMatchObject({ success: true });
  const signedIn = await visitor.signIn(rootUser.username, rootUser.password);
  expect(signedIn.body).toMatchObject({
    success: true,
    data: { id: 1, role: 100, username: 'root' },
  });
  expect(await side.keeper.glance(1)).toMatchObject({ balance: 100_000_000 });
});
