import { afterAll, beforeAll, expect, test } from 'vitest';
import { people, type ReadApi, startReadApi } from '../../tests/support/read-api.ts';
import { aUserRegistered } from '../../tests/support/user-examples.ts';

const { ada, root } = people;
let api: ReadApi;
beforeAll(async () => {
  api = await startReadApi();
});
afterAll(() => api.stop());

const invitedBy = async (userId: number) => {
  const { items } = await api.data('/api/user/', root, '?p=1&page_size=50');
  return items.find(({ id }) => id === userId)?.aff_count;
};

test('an invitation counts where the site pays no reward for it, too', async () => {
  const { append, settle } = api.side;
  const before = (await invitedBy(ada)) ?? 0;
  const invited = { userId: 901, username: 'invited', affCode: 'i901', inviterId: ada };
  await append('user-901', aUserRegistered(invited));
  await settle();
  expect(await invitedBy(ada)).toBe(before + 1);
  const reward = { userId: ada, amount: 500, inviteeId: 901 };
  await append(`account-${ada}`, { type: 'ReferralRewarded', data: reward });
  await settle();
  expect(await invitedBy(ada)).toBe(before + 1);
});
