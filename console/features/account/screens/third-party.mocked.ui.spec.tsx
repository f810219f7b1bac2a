// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { readLocal } from '../../../shared/local-values.ts';
import { everyLogin } from '../../../testing/account-examples.ts';
import { aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, refused, statusWith, stubApi } from '../../../testing/stub-api.ts';
import { sayFromTelegram } from '../../../testing/telegram.ts';

cleanBrowser();

const left = vi.hoisted(() => ({ for: [] as string[] }));
vi.mock('../../../shared/leave.ts', () => ({
  leaveFor: (address: string) => {
    left.for.push(address);
    return true;
  },
}));

const names = ['GitHub', 'OIDC', 'Linux DO', 'WeChat'];
const button = (name: string) => screen.findByRole('button', { name: `Continue with ${name}` });

test.each(['/login', '/register'])('%s offers what the operator has switched on', async (at) => {
  stubApi({ 'GET /api/status': statusWith(everyLogin) });
  await renderConsole({ at });
  for (const name of names) await button(name);
  expect(screen.getByRole('region', { name: 'Sign in by Telegram' })).toBeTruthy();
});

test.each(['/login', '/register'])('%s offers nothing of what is off', async (at) => {
  stubApi({});
  await renderConsole({ at });
  await screen.findByRole('button', { name: /^Sign (in|up)$/ });
  expect(screen.queryByRole('region', { name: 'Or continue with' })).toBeNull();
  expect(screen.queryByRole('region', { name: 'Human check' })).toBeNull();
});

test.each([
  ['GitHub', 'github'],
  ['OIDC', 'oidc'],
  ['Linux DO', 'linuxdo'],
])(
  '%s is asked for a state, and then the browser leaves for its address',
  async (name, provider) => {
    left.for.length = 0;
    const address = `https://id.test/authorize?client_id=gate&state=abc&by=${provider}`;
    const { calls } = stubApi({
      'GET /api/status': statusWith(everyLogin),
      'GET /api/oauth/state': { ...ok('abc'), authorize_url: address },
    });
    const { person } = await renderConsole({ at: '/login?aff=aDa1' });
    await person.click(await button(name));
    await waitFor(() => expect(left.for).toEqual([address]));
    const asked = calls.find(({ path }) => path === '/api/oauth/state');
    expect(Object.fromEntries(asked?.query ?? [])).toEqual({ provider, aff: 'aDa1' });
  },
);

test('WeChat shows its picture and how long a code is valid, and signs in by the code', async () => {
  const { calls } = stubApi({
    'GET /api/status': statusWith(everyLogin),
    'GET /api/oauth/wechat': ok(aUser),
    'GET /api/token/': ok([]),
  });
  const { person } = await renderConsole({ at: '/login' });
  await person.click(await button('WeChat'));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByRole('img').getAttribute('src')).toBe(everyLogin.wechat_qrcode);
  expect(dialog.getByText(/3 minutes/)).toBeTruthy();
  await person.click(dialog.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText('Please enter the verification code!')).toBeTruthy();
  await person.type(dialog.getByLabelText('Verification code'), ' 123456 ');
  await person.click(dialog.getByRole('button', { name: 'Sign in' }));
  await screen.findByRole('heading', { name: 'API keys' });
  const sent = calls.find(({ path }) => path === '/api/oauth/wechat');
  expect(sent?.query.get('code')).toBe('123456');
});

test('a WeChat code that is too old is refused in the words of the server', async () => {
  stubApi({
    'GET /api/status': statusWith(everyLogin),
    'GET /api/oauth/wechat': refused('The verification code is wrong or has expired'),
  });
  const { person } = await renderConsole({ at: '/login' });
  await person.click(await button('WeChat'));
  const dialog = within(await screen.findByRole('dialog'));
  await person.type(dialog.getByLabelText('Verification code'), '000000{Enter}');
  expect(await screen.findByText('The verification code is wrong or has expired')).toBeTruthy();
  expect(window.location.pathname).toBe('/login');
});

test('what Telegram’s widget hands over signs the person in', async () => {
  const { calls } = stubApi({
    'GET /api/status': statusWith(everyLogin),
    'GET /api/oauth/telegram/login': ok(aUser),
    'GET /api/token/': ok([]),
  });
  await renderConsole({ at: '/login' });
  const region = await screen.findByRole('region', { name: 'Sign in by Telegram' });
  expect(region.querySelector('iframe')?.getAttribute('src')).toBe('/telegram.html?bot=gate_bot');
  const user = { id: 77, first_name: 'Ada', auth_date: 1, hash: 'aa' };
  act(() => sayFromTelegram({ ...user, id: 666 }, 'https://elsewhere.test'));
  act(() => sayFromTelegram(user));
  await screen.findByRole('heading', { name: 'API keys' });
  const sent = calls.find(({ path }) => path === '/api/oauth/telegram/login');
  expect(Object.fromEntries(sent?.query ?? [])).toEqual({
    id: '77',
    first_name: 'Ada',
    auth_date: '1',
    hash: 'aa',
  });
});

const turnstileOn = statusWith({ turnstile_check: true, turnstile_site_key: 'site-key' });

test('while the human check is unsolved nothing is sent, and once solved its token goes along', async () => {
  const rendered: Record<string, unknown>[] = [];
  vi.stubGlobal('turnstile', {
    render: (_: HTMLElement, options: Record<string, unknown>) => {
      rendered.push(options);
      return 'widget';
    },
    remove: () => undefined,
  });
  const { calls } = stubApi({
    'GET /api/status': turnstileOn,
    'POST /api/user/login': ok(aUser),
    'GET /api/token/': ok([]),
  });
  const { person } = await renderConsole({ at: '/login' });
  await person.type(await screen.findByLabelText('User name or email'), 'ada');
  await person.type(screen.getByLabelText('Password'), 'correct horse');
  expect(screen.getByRole('region', { name: 'Human check' })).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText(/Turnstile is checking/)).toBeTruthy();
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);

  const script = document.head.querySelector('script[src*="turnstile"]');
  act(() => {
    script?.dispatchEvent(new Event('load'));
  });
  await waitFor(() => expect(rendered[0]?.sitekey).toBe('site-key'));
  const solve = rendered[0]?.callback as ((token: string) => void) | undefined;
  act(() => solve?.('solved'));
  await person.click(screen.getByRole('button', { name: 'Sign in' }));
  await screen.findByRole('heading', { name: 'API keys' });
  const sent = calls.find(({ method }) => method === 'POST');
  expect(sent?.query.get('turnstile')).toBe('solved');
  expect(readLocal('user')).toContain('ada');
});
