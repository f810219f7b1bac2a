import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { expectRefusal } from '../../../testing/form-refusal.ts';
import { chooseFilter, rowAction } from '../../../testing/list-controls.ts';
import { anAdmin, aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, refused, type StubRoutes, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const aRow = (id: number, changes: object = {}) => ({
  id,
  username: `user-${id}`,
  display_name: `user-${id}`,
  role: 1,
  status: 1,
  group: 'vip',
  quota: 1000,
  used_quota: 0,
  request_count: 0,
  aff_count: 0,
  aff_history_quota: 0,
  inviter_id: 0,
  email: 'ada@a.test',
  github_id: 'gh-1',
  oidc_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
  DeletedAt: null,
  ...changes,
});
const listOf = (rows: readonly object[]) =>
  ok({ items: rows, page: 1, page_size: 10, total: rows.length });

const lineOf = (name: string) => screen.getAllByText(name)[0]?.closest('tr') as HTMLElement;
const open = async (rows: readonly object[], routes: StubRoutes = {}, at = '/user') => {
  const { calls } = stubApi({
    'GET /api/user/': listOf(rows),
    'GET /api/group/': ok(['default', 'vip']),
    ...routes,
  });
  const { person } = await renderConsole({ at, user: anAdmin });
  await screen.findByText('user-1');
  const row = (name: string) => within(screen.getAllByText(name)[0]?.closest('tr') as HTMLElement);
  const sent = (method: string) =>
    calls.filter((call) => call.method === method).map(({ path, body }) => [path, body]);
  return { calls, person, row, sent };
};

test('roles, states and groups can be read off the rows, and the deleted have no actions', async () => {
  const { row, person } = await open([
    aRow(1),
    aRow(2, { role: 10, status: 2 }),
    aRow(3, { role: 100, status: 3, inviter_id: 1 }),
    aRow(4, { DeletedAt: '2026-01-01T00:00:00Z' }),
  ]);
  expect(row('user-1').getByText('User')).toBeTruthy();
  expect(row('user-1').getByText('Active')).toBeTruthy();
  expect(row('user-1').getByTitle(/Invited by: no one/)).toBeTruthy();
  expect(row('user-1').getByRole('button', { name: /vip/ }).className).toContain('tone-yellow');
  expect(row('user-2').getByText('Admin')).toBeTruthy();
  expect(row('user-2').getByText('Banned')).toBeTruthy();
  expect(row('user-3').getByText('Super admin')).toBeTruthy();
  expect(row('user-3').getByText('Unknown state')).toBeTruthy();
  expect(row('user-3').getByTitle(/Invited by: 1/)).toBeTruthy();
  const enable = await rowAction(person, lineOf('user-3'), 'Enable');
  expect(enable.getAttribute('aria-disabled')).toBe('true');
  await person.keyboard('{Escape}');
  expect(row('user-4').getByText('Deleted')).toBeTruthy();
  await rowAction(person, lineOf('user-4'), 'Ledger');
  await waitFor(() => expect(screen.getAllByRole('menuitem')).toHaveLength(1));
});

test('keyword and group narrow the list together', async () => {
  const { person, calls } = await open([aRow(1)], { 'GET /api/user/search': listOf([aRow(1)]) });
  await person.type(screen.getByLabelText('Keyword'), 'ada{Enter}');
  await chooseFilter(person, 'Group', 'vip');
  await waitFor(() => {
    const query = calls.findLast(({ path }) => path === '/api/user/search')?.query;
    expect([query?.get('keyword'), query?.get('group')]).toEqual(['ada', 'vip']);
  });
  expect(window.location.search).toBe('?keyword=ada&group=vip');
});

test('after an act the row shows what the server answered', async () => {
  let rows = [aRow(1)];
  const answers: Readonly<Record<string, object>> = {
    promote: { role: 10, status: 1 },
    demote: { role: 1, status: 1 },
    disable: { role: 1, status: 2 },
    enable: { role: 1, status: 1 },
  };
  const { person, row, sent } = await open(rows, {
    'GET /api/user/': () => listOf(rows),
    'POST /api/user/manage': ({ body }: { body: unknown }) => {
      const answer = answers[(body as { action: string }).action] ?? {};
      rows = [aRow(1, answer)];
      return ok(answer);
    },
  });
  const act = async (name: string) => {
    await person.click(await rowAction(person, lineOf('user-1'), name));
    if (name !== 'Enable') await person.click(await screen.findByRole('button', { name: 'OK' }));
  };
  await act('Promote');
  await waitFor(() => expect(row('user-1').getByText('Admin')).toBeTruthy());
  await act('Demote');
  await waitFor(() => expect(row('user-1').getByText('User')).toBeTruthy());
  await act('Disable');
  await waitFor(() => expect(row('user-1').getByText('Banned')).toBeTruthy());
  await act('Enable');
  await waitFor(() => expect(row('user-1').getByText('Active')).toBeTruthy());
  expect(sent('POST').map(([, body]) => (body as { action: string }).action)).toEqual([
    'promote',
    'demote',
    'disable',
    'enable',
  ]);
});

test('what is done to a user may be given a reason', async () => {
  const { person, sent } = await open([aRow(1)], { 'POST /api/user/manage': ok({}) });
  await person.click(await rowAction(person, lineOf('user-1'), 'Disable'));
  await person.type(await screen.findByLabelText('Reason (optional)'), ' stolen card ');
  await person.click(screen.getByRole('button', { name: 'OK' }));
  await waitFor(() =>
    expect(sent('POST')).toEqual([
      ['/api/user/manage', { id: 1, action: 'disable', reason: 'stolen card' }],
    ]),
  );
});

test('another balance needs a reason, which goes along with it', async () => {
  const { person, sent } = await open(
    [aRow(1)],
    { 'GET /api/user/1': ok(aRow(1)), 'PUT /api/user/': ok() },
    '/user/edit/1',
  );
  const balance = await screen.findByLabelText('Balance', { selector: '.tg-drawer input' });
  const drawer = within(screen.getByRole('dialog', { name: 'Edit user' }));
  expect(drawer.queryByLabelText(/^Reason/)).toBeNull();
  await person.clear(balance);
  await person.type(balance, '1500');
  await person.click(drawer.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByText('Please give a reason for the adjustment')).toBeTruthy();
  expect(sent('PUT')).toEqual([]);
  await person.type(drawer.getByLabelText(/^Reason/), 'an apology');
  await person.click(drawer.getByRole('button', { name: 'Submit' }));
  const question = within(
    await screen.findByRole('dialog', { name: 'Adjust the balance of user-1?' }),
  );
  expect(question.getByText('Balance before').nextSibling?.textContent).toBe('$0.002');
  expect(question.getByText('Change').nextSibling?.textContent).toBe('+$0.001');
  expect(question.getByText('Balance after').nextSibling?.textContent).toBe('$0.003');
  expect(sent('PUT')).toEqual([]);
  await person.click(question.getByRole('button', { name: 'Adjust balance' }));
  const adjusted = { id: 1, quota: 1500, quota_seen: 1000, reason: 'an apology' };
  await waitFor(() =>
    expect(sent('PUT')).toEqual([['/api/user/', expect.objectContaining(adjusted)]]),
  );
  const receipt = within(await screen.findByRole('dialog', { name: 'Balance adjusted' }));
  expect(receipt.getByText('an apology')).toBeTruthy();
  const link = receipt.getByRole('link', { name: 'Show in the ledger' });
  expect(link.getAttribute('href')).toBe('/ledger/1?kind=QuotaAdjusted');
});

test('a new user needs a name and a password; a drawer that is discarded changes nothing', async () => {
  const { person, sent } = await open([aRow(1)], { 'POST /api/user/': ok() });
  await person.click(screen.getByRole('button', { name: 'Add user' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'New user' }));
  await person.click(drawer.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByText('User name and password are needed!')).toBeTruthy();
  await person.type(drawer.getByLabelText('User name'), 'bob');
  await person.click(drawer.getByRole('button', { name: 'Cancel' }));
  await person.click(await screen.findByRole('button', { name: 'Discard changes' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'New user' })).toBeNull());
  expect(sent('POST')).toEqual([]);
  await person.click(screen.getByRole('button', { name: 'Add user' }));
  const again = within(await screen.findByRole('dialog', { name: 'New user' }));
  await person.type(again.getByLabelText('User name'), 'bob');
  await person.type(again.getByLabelText('Display name'), 'Bob');
  await person.type(again.getByLabelText('Password'), 'long-enough');
  await person.click(again.getByRole('button', { name: 'Submit' }));
  await waitFor(() =>
    expect(sent('POST')).toEqual([
      ['/api/user/', { username: 'bob', display_name: 'Bob', password: 'long-enough' }],
    ]),
  );
});

test('a new user is in the list', async () => {
  let rows = [aRow(1)];
  const { person } = await open(rows, {
    'GET /api/user/': () => listOf(rows),
    'POST /api/user/': () => {
      rows = [aRow(2), aRow(1)];
      return ok();
    },
  });
  await person.click(screen.getByRole('button', { name: 'Add user' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'New user' }));
  await person.type(drawer.getByLabelText('User name'), 'user-2');
  await person.type(drawer.getByLabelText('Password'), 'long-enough');
  await person.click(drawer.getByRole('button', { name: 'Submit' }));
  const listed = async () => (await screen.findAllByText('user-2')).some((at) => at.closest('tr'));
  await waitFor(async () => expect(await listed()).toBe(true));
});

test('another user is edited at an address of their own, with group, quota and bindings', async () => {
  const { person, sent } = await open(
    [aRow(1)],
    { 'GET /api/user/1': ok(aRow(1)), 'PUT /api/user/': ok() },
    '/user/edit/1',
  );
  const group = await screen.findByLabelText('Group', { selector: '.tg-drawer input' });
  const drawer = within(screen.getByRole('dialog', { name: 'Edit user' }));
  expect(drawer.getByLabelText(/^Password/)).toHaveProperty('value', '');
  expect(drawer.getByText('gh-1')).toBeTruthy();
  expect(drawer.getByText('ada@a.test')).toBeTruthy();
  await waitFor(() => expect(document.querySelectorAll('datalist option')).toHaveLength(2));
  await person.clear(group);
  await person.type(group, 'default');
  await person.click(drawer.getByRole('button', { name: 'Submit' }));
  await waitFor(() =>
    expect(sent('PUT')).toEqual([
      [
        '/api/user/',
        expect.objectContaining({ id: 1, group: 'default', quota: 1000, password: '' }),
      ],
    ]),
  );
  await waitFor(() => expect(window.location.pathname).toBe('/user'));
});

test('all sessions of a user are ended from the drawer, once it was confirmed', async () => {
  const { person, sent } = await open(
    [aRow(1)],
    { 'GET /api/user/1': ok(aRow(1)), 'POST /api/user/manage': ok({ role: 1, status: 1 }) },
    '/user/edit/1',
  );
  await person.click(await screen.findByRole('button', { name: 'End all sessions' }));
  expect(sent('POST')).toEqual([]);
  const question = within(await screen.findByRole('alertdialog'));
  await person.click(question.getByRole('button', { name: 'OK' }));
  await waitFor(() =>
    expect(sent('POST')).toEqual([['/api/user/manage', { id: 1, action: 'end_sessions' }]]),
  );
  expect(await screen.findByText('All sessions ended')).toBeTruthy();
});

test('the own profile has no group and no quota', async () => {
  const { calls } = stubApi({ 'GET /api/user/self': ok(aRow(7)), 'PUT /api/user/self': ok() });
  const { person } = await renderConsole({ at: '/user/edit', user: aUser });
  const name = await screen.findByLabelText('Display name');
  expect(screen.queryByLabelText('Group')).toBeNull();
  expect(screen.queryByLabelText('Balance')).toBeNull();
  await person.clear(name);
  await person.type(name, 'Ada L.');
  await person.click(screen.getByRole('button', { name: 'Submit' }));
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
      username: 'user-7',
      display_name: 'Ada L.',
    }),
  );
});

test('a refused name is reported at its field, for a new user and for oneself', async () => {
  const taken = refused('This user name is taken', 'user.name-taken');
  const { person } = await open([aRow(1)], { 'POST /api/user/': taken });
  await person.click(screen.getByRole('button', { name: 'Add user' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'New user' }));
  await person.type(drawer.getByLabelText('User name'), 'bob');
  await person.type(drawer.getByLabelText('Password'), 'long-enough');
  await person.click(drawer.getByRole('button', { name: 'Submit' }));
  await expectRefusal(drawer.getByLabelText('User name'), 'This user name is taken');
  expect(drawer.getByLabelText('Password')).toHaveProperty('value', 'long-enough');
  cleanup();
  stubApi({ 'GET /api/user/self': ok(aRow(7)), 'PUT /api/user/self': taken });
  const own = await renderConsole({ at: '/user/edit', user: aUser });
  const name = await screen.findByLabelText('User name');
  await own.person.type(name, '8');
  await own.person.click(screen.getByRole('button', { name: 'Submit' }));
  await expectRefusal(name, 'This user name is taken');
});
