// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aSelf, everyLogin } from '../../../testing/account-examples.ts';
import { expectRefusal } from '../../../testing/form-refusal.ts';
import { aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, refused, type StubRoutes, statusWith, stubApi } from '../../../testing/stub-api.ts';
import { sayFromTelegram } from '../../../testing/telegram.ts';

cleanBrowser();

const left = vi.hoisted(() => ({ for: [] as string[] }));
vi.mock('../../../shared/leave.ts', () => ({
  leaveFor: (address: string) => {
    left.for.push(address);
    return true;
  },
}));

type Given = Readonly<{ user?: Partial<typeof aSelf>; status?: object; routes?: StubRoutes }>;
const open = async ({ user = {}, status = everyLogin, routes = {} }: Given) => {
  const { calls } = stubApi({
    'GET /api/status': statusWith(status),
    'GET /api/user/self': ok({ ...aSelf, ...user }),
    'GET /api/user/models': ok([]),
    'GET /api/user/aff': ok('aDa1'),
    ...routes,
  });
  const { person } = await renderConsole({ at: '/personal', user: aUser });
  const list = within(await screen.findByRole('list', { name: 'Bound accounts' }));
  const row = (name: string) => within(list.getByRole('listitem', { name }));
  return { calls, person, row };
};
const rows = ['Email', 'WeChat', 'GitHub', 'OIDC', 'Linux DO', 'Telegram'];

test('every account is shown by what it is called, or as not bound', async () => {
  const { row } = await open({
    user: {
      email: 'ada@example.com',
      github_id: 'octocat',
      wechat_id: 'o-secret-id',
      telegram_id: '77',
    },
  });
  expect(row('Email').getByText('ada@example.com')).toBeTruthy();
  expect(row('GitHub').getByText('octocat')).toBeTruthy();
  expect(row('WeChat').getByText('Bound')).toBeTruthy();
  expect(screen.queryByText('o-secret-id')).toBeNull();
  expect(row('Telegram').getByText('77')).toBeTruthy();
  expect(row('OIDC').getByText('Not bound')).toBeTruthy();
  expect(row('Linux DO').getByText('Not bound')).toBeTruthy();
});

test('providers that are off can be seen, and not be bound', async () => {
  const { row } = await open({ status: {} });
  for (const name of rows.slice(1)) {
    const button = row(name).getByRole('button', { name: 'Not enabled' });
    expect((button as HTMLButtonElement).disabled).toBe(true);
  }
});

test.each([
  ['GitHub', 'github'],
  ['OIDC', 'oidc'],
  ['Linux DO', 'linuxdo'],
])('binding %s sends the browser to it', async (name, provider) => {
  left.for.length = 0;
  const { calls, person, row } = await open({
    routes: {
      'GET /api/oauth/state': { ...ok('abc'), authorize_url: 'https://id.test/authorize' },
    },
  });
  await person.click(row(name).getByRole('button', { name: 'Bind' }));
  await waitFor(() => expect(left.for).toEqual(['https://id.test/authorize']));
  const asked = calls.find(({ path }) => path === '/api/oauth/state');
  expect(asked?.query.get('provider')).toBe(provider);
  expect(asked?.headers.get('New-Api-User')).toBe('7');
});

test('an address is bound by the code that was mailed to it', async () => {
  const { calls, person, row } = await open({
    routes: { 'GET /api/verification': ok(), 'GET /api/oauth/email/bind': ok() },
  });
  await person.click(row('Email').getByRole('button', { name: 'Bind an address' }));
  const dialog = within(await screen.findByRole('dialog'));
  await person.click(dialog.getByRole('button', { name: 'Bind' }));
  expect(await screen.findByText('Please enter your email address!')).toBeTruthy();
  await person.type(dialog.getByLabelText('Email'), 'ada@example.com');
  await person.click(dialog.getByRole('button', { name: 'Bind' }));
  expect(await screen.findByText('Please enter the code from the mail!')).toBeTruthy();
  await person.click(dialog.getByRole('button', { name: 'Send code' }));
  const resend = await dialog.findByRole('button', { name: 'Resend (30)' });
  expect((resend as HTMLButtonElement).disabled).toBe(true);
  await person.type(dialog.getByLabelText('Verification code'), 'a1b2c3');
  await person.click(dialog.getByRole('button', { name: 'Bind' }));
  expect(await screen.findByText('Email address bound!')).toBeTruthy();
  const sent = calls.find(({ path }) => path === '/api/oauth/email/bind');
  expect(Object.fromEntries(sent?.query ?? [])).toEqual({
    email: 'ada@example.com',
    code: 'a1b2c3',
  });
  expect(calls.filter(({ path }) => path === '/api/user/self').length).toBeGreaterThan(1);
});

test.each([
  ['user.email-code-wrong', 'Verification code'],
  ['user.email-taken', 'Email'],
])('a refusal to bind, %s, is shown at its field', async (code, label) => {
  const { person, row } = await open({
    routes: { 'GET /api/oauth/email/bind': refused('It will not do', code) },
  });
  await person.click(row('Email').getByRole('button', { name: 'Bind an address' }));
  const dialog = within(await screen.findByRole('dialog'));
  await person.type(dialog.getByLabelText('Email'), 'ada@example.com');
  await person.type(dialog.getByLabelText('Verification code'), 'a1b2c3');
  await person.click(dialog.getByRole('button', { name: 'Bind' }));
  await expectRefusal(dialog.getByLabelText(label), 'It will not do');
  expect(dialog.getByLabelText('Verification code')).toHaveProperty('value', 'a1b2c3');
});

test('WeChat is bound by the code of the account', async () => {
  const { calls, person, row } = await open({ routes: { 'GET /api/oauth/wechat/bind': ok() } });
  await person.click(row('WeChat').getByRole('button', { name: 'Bind' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByRole('img').getAttribute('src')).toBe(everyLogin.wechat_qrcode);
  await person.type(dialog.getByLabelText('Verification code'), '123456');
  await person.click(dialog.getByRole('button', { name: 'Bind' }));
  expect(await screen.findByText('WeChat account bound!')).toBeTruthy();
  const sent = calls.find(({ path }) => path === '/api/oauth/wechat/bind');
  expect(sent?.query.get('code')).toBe('123456');
});

test('Telegram is bound by what its widget hands over', async () => {
  const { calls } = await open({ routes: { 'GET /api/oauth/telegram/bind': ok() } });
  act(() => sayFromTelegram({ id: 77, auth_date: 1, hash: 'aa' }));
  expect(await screen.findByText('Telegram account bound!')).toBeTruthy();
  const sent = calls.find(({ path }) => path === '/api/oauth/telegram/bind');
  expect(sent?.query.get('id')).toBe('77');
});

test('a bound account is unlinked after a confirmation', async () => {
  const { calls, person, row } = await open({
    user: { github_id: 'octocat' },
    routes: { 'DELETE /api/user/self/identity/github': ok() },
  });
  await person.click(row('GitHub').getByRole('button', { name: 'Unbind' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Unbind GitHub?' }));
  await person.click(question.getByRole('button', { name: 'OK' }));
  expect(await screen.findByText('Unbound')).toBeTruthy();
  expect(calls.some(({ method }) => method === 'DELETE')).toBe(true);
});

test('who signed up by another account sets a first password without an old one', async () => {
  const { calls, person } = await open({
    user: { github_id: 'octocat' },
    routes: { 'PUT /api/user/self': ok() },
  });
  await person.click(await screen.findByRole('checkbox', { name: /no password yet/ }));
  await person.type(screen.getByLabelText('New password'), 'correct horse');
  await person.type(screen.getByLabelText('Confirm new password'), 'correct horse');
  await person.click(screen.getByRole('button', { name: 'Change password' }));
  expect(await screen.findByText('Password changed!')).toBeTruthy();
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
    original_password: '',
    password: 'correct horse',
  });
});
