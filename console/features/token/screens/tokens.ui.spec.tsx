import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { addFilter, rowAction } from '../../../testing/list-controls.ts';
import { aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, type StubRoutes, statusWith, stubApi } from '../../../testing/stub-api.ts';
import { aTokenRow } from '../../../testing/token-examples.ts';

cleanBrowser();

const aToken = (id: number, changes: object = {}) => ({
  ...aTokenRow,
  id,
  key: `key${id}`.repeat(10),
  name: `token-${id}`,
  group: 'vip',
  ...changes,
});
const lineOf = (name: string) => screen.getByText(name).closest('tr') as HTMLElement;
const open = async (routes: StubRoutes = {}) => {
  const { calls } = stubApi({
    'GET /api/token/': ok([aToken(1), aToken(2, { status: 2 })]),
    'GET /api/user/models': ok(['gpt-4o']),
    'GET /api/user/self/groups': ok({ vip: { ratio: 2, desc: 'Friends' } }),
    ...routes,
  });
  const { person } = await renderConsole({ at: '/token', user: aUser });
  await screen.findByText('token-1');
  const row = (name: string) => within(screen.getByText(name).closest('tr') as HTMLElement);
  return { calls, person, row };
};

test('the state of a token can be read off its row', async () => {
  const { row, person } = await open({
    'GET /api/token/': ok([
      aToken(1),
      aToken(2, { status: 2 }),
      aToken(3, { status: 3, expired_time: 1_700_000_000 }),
      aToken(4, { status: 4, unlimited_quota: true }),
    ]),
  });
  expect(row('token-1').getByText('Enabled')).toBeTruthy();
  expect(row('token-1').getByText('Never expires')).toBeTruthy();
  expect(row('token-2').getByText('Disabled')).toBeTruthy();
  expect(row('token-3').getByText('Expired')).toBeTruthy();
  expect(row('token-4').getByText(/exhausted|used up/i)).toBeTruthy();
  expect(row('token-4').getByText('Unlimited')).toBeTruthy();
  await person.click(row('token-1').getByRole('button', { name: 'View' }));
  expect(await screen.findByText(`sk-${'key1'.repeat(10)}`)).toBeTruthy();
  expect(screen.getByRole('navigation', { name: /pag/i })).toBeTruthy();
});

test('tokens are found by name and by key; the key stays out of the address', async () => {
  const { person, calls } = await open({ 'GET /api/token/search': ok([aToken(1)]) });
  await person.type(screen.getByLabelText('Name'), 'web{Enter}');
  await addFilter(person, 'Key', 'sk-secret');
  await waitFor(() => {
    const query = calls.findLast(({ path }) => path === '/api/token/search')?.query;
    expect([query?.get('keyword'), query?.get('token')]).toEqual(['web', 'sk-secret']);
  });
  expect(window.location.search).toBe('?keyword=web');
});

test('a token is switched only between on and off, and deleted after a question', async () => {
  const { person, calls } = await open({
    'PUT /api/token/': ok(),
    'DELETE /api/token/1': ok(),
  });
  await person.click(await rowAction(person, lineOf('token-1'), 'Disable'));
  await person.click(await rowAction(person, lineOf('token-2'), 'Enable'));
  const sent = () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  await waitFor(() =>
    expect(sent()).toEqual([
      { id: 1, status: 2 },
      { id: 2, status: 1 },
    ]),
  );
  await person.click(await rowAction(person, lineOf('token-1'), 'Delete'));
  expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
  await person.click(await screen.findByRole('button', { name: 'OK' }));
  await waitFor(() => expect(calls.some(({ path }) => path === '/api/token/1')).toBe(true));
});

test('selected tokens are copied as names and keys', async () => {
  const { person, row } = await open();
  const written: string[] = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => {
    written.push(text);
  });
  expect(screen.queryByRole('button', { name: /^Copy selected/ })).toBeNull();
  await person.click(row('token-1').getByRole('checkbox'));
  await person.click(row('token-2').getByRole('checkbox'));
  await person.click(screen.getByRole('button', { name: /^Copy selected/ }));
  expect(written).toEqual([
    `token-1    sk-${'key1'.repeat(10)}\ntoken-2    sk-${'key2'.repeat(10)}`,
  ]);
});

test('the chat button opens a chat site with this token', async () => {
  const chats = [{ One: 'https://one.test/{key}' }, { Two: 'https://two.test/{key}' }];
  const { person, row } = await open({ 'GET /api/status': statusWith({ chats }) });
  const opened = vi.fn();
  vi.stubGlobal('open', opened);
  await person.click(row('token-1').getByRole('button', { name: 'Chat' }));
  await person.click(row('token-1').getByRole('button', { name: 'Choose a chat' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Two' }));
  expect(opened.mock.calls.map(([address]) => address)).toEqual([
    `https://one.test/sk-${'key1'.repeat(10)}`,
    `https://two.test/sk-${'key1'.repeat(10)}`,
  ]);
});

test('the form of a new token has its defaults and presets', async () => {
  const { person, calls } = await open({ 'POST /api/token/': ok() });
  await person.click(screen.getByRole('button', { name: 'Add API key' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Create an API key' }));
  const submit = () => person.click(drawer.getByRole('button', { name: 'Submit' }));
  await submit();
  expect(await screen.findByText(/enter a name/i)).toBeTruthy();
  expect(drawer.getByDisplayValue('500000')).toBeTruthy();
  for (const preset of ['$1', '$10', '$50', '$100', '$500', '$1000']) {
    expect(drawer.getAllByText(new RegExp(`^\\${preset}(\\.00)?$`)).length).toBeGreaterThan(0);
  }
  const counts = [...document.querySelectorAll('datalist option')];
  expect(counts.map((option) => option.getAttribute('value')).slice(-4)).toEqual([
    '10',
    '20',
    '30',
    '100',
  ]);
  await person.type(drawer.getByLabelText(/^Name/), 'web');
  for (const preset of ['One hour', 'One day', 'One month', 'Never']) {
    await person.click(drawer.getByRole('button', { name: new RegExp(preset, 'i') }));
  }
  await person.click(drawer.getByRole('button', { name: /unlimited/i }));
  await person.type(drawer.getByLabelText(/IP/), '10.0.0.1');
  await person.click(drawer.getByLabelText(/Limit.*models/i));
  expect(await drawer.findByText(/vip.*2x/)).toBeTruthy();
  await submit();
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({
      name: 'web',
      unlimited_quota: true,
      expired_time: -1,
      allow_ips: '10.0.0.1',
      model_limits_enabled: true,
    }),
  );
});
