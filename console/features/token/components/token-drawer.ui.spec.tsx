import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { covers } from '../../../../tests/support/checklist/covers.ts';
import { aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const token = {
  id: 3,
  user_id: 7,
  key: 'abcd'.repeat(12),
  name: 'web',
  status: 1,
  created_time: 1_700_000_000,
  accessed_time: 0,
  expired_time: -1,
  remain_quota: 1_000_000,
  used_quota: 250_000,
  unlimited_quota: false,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  group: '',
  DeletedAt: null,
};
const routes = {
  'GET /api/token/': ok([token]),
  'GET /api/token/3': ok(token),
  'GET /api/user/models': ok(['gpt-4o-mini', 'gpt-4o']),
  'GET /api/user/self/groups': ok({ default: { ratio: 1, desc: 'Default' } }),
  'POST /api/token/': ok(),
  'PUT /api/token/': ok(token),
};

const openNew = async (person: Awaited<ReturnType<typeof renderConsole>>['person']) => {
  await person.click(await screen.findByRole('button', { name: 'Add token' }));
  return screen.findByRole('dialog', { name: 'Create a token' });
};

test('two tokens asked for are two calls, and only the second name has a suffix', async () => {
  covers('token-22');
  const { calls } = stubApi(routes);
  const { person } = await renderConsole({ at: '/token', user: aUser });
  const drawer = await openNew(person);
  await person.type(within(drawer).getByLabelText(/^Name/), 'batch');
  const count = within(drawer).getByLabelText('How many');
  await person.clear(count);
  await person.type(count, '2');
  await person.click(within(drawer).getByRole('button', { name: 'Submit' }));
  await screen.findByText(/The token is ready/);
  const bodies = calls.filter(({ method }) => method === 'POST').map(({ body }) => body);
  expect(bodies).toMatchObject([
    { name: 'batch', remain_quota: 500_000, expired_time: -1, group: '' },
    { name: expect.stringMatching(/^batch-[0-9a-z]{6}$/) },
  ]);
});

test('a token without a name is not sent', async () => {
  covers('token-18');
  const { calls } = stubApi(routes);
  const { person } = await renderConsole({ at: '/token', user: aUser });
  const drawer = await openNew(person);
  await person.click(within(drawer).getByRole('button', { name: 'Submit' }));
  expect(await screen.findByText('Please enter a name!')).toBeTruthy();
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
});

test('editing starts from what the server has now and sends the whole token', async () => {
  covers('token-5');
  const { calls } = stubApi({ ...routes, 'GET /api/token/3': ok({ ...token, remain_quota: 42 }) });
  const { person } = await renderConsole({ at: '/token', user: aUser });
  await person.click(await screen.findByRole('button', { name: 'Edit' }));
  const name = await screen.findByLabelText(/^Name \*/);
  await person.clear(name);
  await person.type(name, 'mobile');
  await person.click(screen.getByRole('button', { name: 'Submit' }));
  await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true));
  expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
    id: 3,
    name: 'mobile',
    remain_quota: 42,
    remain_quota_seen: 42,
    expired_time: -1,
  });
});
