import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { cleanBrowser } from '../../../testing/render-console.tsx';
import { openSettings } from '../../../testing/setting-sections.ts';
import {
  answered,
  ok,
  refused,
  type StubCall,
  type StubRoutes,
} from '../../../testing/stub-api.ts';

cleanBrowser();

const values: Readonly<Record<string, string>> = {
  PasswordLoginEnabled: 'true',
  RegisterEnabled: 'true',
  EmailDomainWhitelist: 'a.com',
  ServerAddress: '',
  Price: '7.2',
  MinTopUp: '1',
  TopupGroupRatio: '{}',
  SystemName: 'Tollgate',
  'general_setting.releases_url': 'https://releases.test/latest',
  'responses.keep_hours': '24',
  'batches.max_file_mb': '100',
  'general_setting.ping_interval_seconds': '60',
  'gemini.thinking_adapter_budget_tokens_percentage': '0.6',
  'claude.thinking_adapter_enabled': 'true',
  'claude.thinking_adapter_budget_tokens_percentage': '0.8',
  'claude.default_max_tokens': '{"default":8192}',
  ModelRequestRateLimitDurationMinutes: '1',
  ModelRequestRateLimitCount: '0',
  ModelRequestRateLimitSuccessCount: '1000',
  ModelRequestRateLimitGroup: '{}',
};
const open = async (at: string, routes: StubRoutes = {}) => {
  const opened = await openSettings({ at, values, routes });
  const save = async (name: string) =>
    opened.person.click((await opened.card(name)).getByRole('button', { name: 'Save' }));
  return { ...opened, save };
};

test('password login goes off only after a question; other switches are saved at once', async () => {
  const { person, card, puts } = await open('/setting?tab=system');
  const login = await card('Sign-in and registration');
  const password = login.getByLabelText('Sign-in by password');
  await person.click(password);
  await person.click(await screen.findByRole('button', { name: 'Cancel' }));
  expect(password).toHaveProperty('checked', true);
  expect(puts()).toEqual([]);
  await person.click(login.getByLabelText('Registration'));
  await waitFor(() => expect(puts()).toEqual([{ key: 'RegisterEnabled', value: 'false' }]));
  await waitFor(() => expect(password).toHaveProperty('disabled', false));
  await person.click(password);
  await person.click(await screen.findByRole('button', { name: 'OK' }));
  await waitFor(() =>
    expect(puts()).toContainEqual({ key: 'PasswordLoginEnabled', value: 'false' }),
  );
});

test('a switch that the server refuses goes back', async () => {
  const { person, card } = await open('/setting?tab=system', {
    'PUT /api/option/': refused('set it up first'),
  });
  const login = await card('Sign-in and registration');
  const register = login.getByLabelText('Registration');
  await person.click(register);
  expect(await screen.findByText('set it up first')).toBeTruthy();
  await waitFor(() => expect(register).toHaveProperty('checked', true));
});

test('mail domains are added once, removed, and have the form of domains', async () => {
  const { person, card, puts, save } = await open('/setting?tab=system');
  const domains = await card('Email domains');
  const field = domains.getByLabelText(/^Domains/);
  await person.type(field, 'nonsense{Enter}');
  expect(await screen.findByText('nonsense is not a valid domain')).toBeTruthy();
  await person.clear(field);
  await person.type(field, 'a.com{Enter}');
  expect(await screen.findByText('a.com is on the list already')).toBeTruthy();
  await person.clear(field);
  await person.type(field, 'b.org{Enter}');
  await person.click(domains.getAllByRole('button', { name: /Remove/i })[0] as HTMLElement);
  await save('Email domains');
  await waitFor(() => expect(puts()).toEqual([{ key: 'EmailDomainWhitelist', value: 'b.org' }]));
});

test('an OpenID provider fills its endpoints by its own document', async () => {
  const { card, puts, retype, save } = await open('/setting?tab=system', {
    'POST /api/option/oidc_discovery': ({ body }: StubCall) =>
      (body as { well_known: string }).well_known === 'https://id.test/.well-known/openid'
        ? ok({
            authorization_endpoint: 'https://id.test/auth',
            token_endpoint: 'https://id.test/token',
            userinfo_endpoint: 'https://id.test/me',
          })
        : refused('Nothing there'),
  });
  const address = (await card('OIDC')).getByLabelText('Well-known address');
  await retype(address, 'id.test');
  await save('OIDC');
  expect(await screen.findByText(/must begin with http/)).toBeTruthy();
  await retype(address, 'https://id.test/nowhere');
  await save('OIDC');
  expect(await screen.findByText(/could not be fetched/)).toBeTruthy();
  expect(puts()).toEqual([]);
  await retype(address, 'https://id.test/.well-known/openid');
  await save('OIDC');
  await waitFor(() =>
    expect(puts()).toContainEqual({
      key: 'oidc.token_endpoint',
      value: 'https://id.test/token',
    }),
  );
  expect(puts()).toHaveLength(4);
});

test('payment needs the address of this site', async () => {
  const { person, card, puts, retype, save } = await open('/setting?tab=system');
  const payment = await card('Payment');
  expect(payment.getByLabelText('Local currency per dollar')).toHaveProperty('value', '7.2');
  expect(payment.getByLabelText('Smallest top-up, dollars')).toHaveProperty('value', '1');
  expect(payment.getAllByLabelText(/lantu/i)).toHaveLength(3);
  expect(payment.getAllByLabelText(/lemon/i)).toHaveLength(4);
  await retype(payment.getByLabelText('Local currency per dollar'), '7');
  await save('Payment');
  expect(await screen.findByText('Please set the server address first')).toBeTruthy();
  expect(puts()).toEqual([]);
  await person.click(payment.getByRole('button', { name: 'Discard' }));
  const server = await card('Server');
  expect(server.getByLabelText('Worker key')).toHaveProperty('value', '');
  await retype(server.getByLabelText('Address of this site'), 'https://me.test/');
  await save('Server');
  await waitFor(() =>
    expect(puts()).toEqual([{ key: 'ServerAddress', value: 'https://me.test/' }]),
  );
});

test('every provider of logins has its card, and no secret is shown', async () => {
  const { card, puts, retype, save } = await open('/setting?tab=system');
  for (const name of ['GitHub OAuth', 'Linux DO OAuth', 'WeChat server', 'Telegram', 'Turnstile']) {
    const fields = await card(name);
    const secret = fields
      .getAllByLabelText(/secret|token|key/i)
      .find((field) => field.getAttribute('type') === 'password');
    expect(secret, name).toHaveProperty('value', '');
  }
  const github = await card('GitHub OAuth');
  await retype(github.getByLabelText(/client id/i), 'id-1');
  await save('GitHub OAuth');
  await waitFor(() => expect(puts()).toEqual([{ key: 'GitHubClientId', value: 'id-1' }]));
});

test('the release of today is compared with what runs here', async () => {
  let release: unknown = answered(200, { tag_name: 'v1', body: '', html_url: '' });
  const { person } = await open('/setting?tab=other', { 'GET /latest': () => release });
  const check = async () =>
    person.click(await screen.findByRole('button', { name: 'Check for updates' }));
  await check();
  expect(await screen.findByText('This is the latest version: v1')).toBeTruthy();
  release = answered(503);
  await check();
  expect(await screen.findByText(/check for updates failed/)).toBeTruthy();
  release = answered(200, { tag_name: 'v2', body: 'Faster', html_url: 'https://releases.test/v2' });
  await check();
  const news = within(await screen.findByRole('dialog', { name: 'New version: v2' }));
  expect(await news.findByText('Faster')).toBeTruthy();
  expect(news.getByRole('button', { name: 'Details' })).toHaveProperty(
    'href',
    'https://releases.test/v2',
  );
});

test('each text of the site has a separate button', async () => {
  const { card, puts, retype, save } = await open('/setting?tab=other');
  const names = ['Notice', 'System name', 'Logo', 'Home page', 'About', 'Footer'];
  for (const name of names) {
    await retype((await card(name)).getByRole('textbox'), `my ${name}`);
    await save(name);
    await waitFor(() =>
      expect(puts()).toContainEqual(expect.objectContaining({ value: `my ${name}` })),
    );
  }
  expect(puts()).toHaveLength(names.length);
});

test('limits of requests and the settings of providers are where they belong', async () => {
  const { card } = await open('/setting?tab=ratelimit');
  const rate = await card('Request rate');
  expect(rate.getAllByRole('checkbox')).toHaveLength(1);
  const shown = rate.getAllByRole('textbox').map((field) => (field as HTMLInputElement).value);
  expect(shown).toEqual(['1', '0', '1000', '', '', '']);
  const all = await card('All models');
  expect(all.getAllByRole('checkbox')).toHaveLength(3);
  const numbers = all.getAllByRole('textbox').map((field) => (field as HTMLInputElement).value);
  expect(numbers).toEqual(['24', '100', '60']);
  const gemini = await card('Gemini');
  expect(gemini.getAllByRole('table')).toHaveLength(3);
  expect(gemini.getByDisplayValue('0.6')).toBeTruthy();
  const claude = await card('Claude');
  expect(claude.getByRole('checkbox')).toHaveProperty('checked', true);
  expect(claude.getByDisplayValue('0.8')).toBeTruthy();
});
