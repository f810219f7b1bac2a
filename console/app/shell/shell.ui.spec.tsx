import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aSelf } from '../../testing/account-examples.ts';
import { aFailedCall } from '../../testing/dashboard-examples.ts';
import { anAdmin, aUser, cleanBrowser, renderConsole } from '../../testing/render-console.tsx';
import { answered, ok, type StubCall, statusWith, stubApi } from '../../testing/stub-api.ts';
import { storedLanguage } from '../text-files.ts';

cleanBrowser();

const served = {
  'GET /api/token/': ok([]),
  'GET /api/about': ok('We are here'),
  'GET /api/user/logout': ok(),
};
const side = async () => within(await screen.findByRole('navigation', { name: 'Side navigation' }));
const top = async () => within(await screen.findByRole('banner'));

test('the top bar leads home, to the console and to the prices', async () => {
  stubApi(served);
  await renderConsole({ at: '/about' });
  const bar = await top();
  const target = (name: string) => bar.getByRole('link', { name }).getAttribute('href');
  expect(target('Home')).toBe('/');
  expect(target('Console')).toBe('/detail');
  expect(target('Pricing')).toBe('/pricing');
  expect(target('Sign in')).toBe('/login');
  expect(target('Sign up')).toBe('/register');
  expect(bar.queryByText('Self-use mode')).toBeNull();
  expect(bar.queryByText('Demo site')).toBeNull();
});

test('a logo that cannot be loaded gives way to the one of the product', async () => {
  stubApi({ ...served, 'GET /api/status': statusWith({ logo: 'https://example.org/gone.png' }) });
  await renderConsole({ at: '/about' });
  const picture = () => document.querySelector('.brand img');
  await waitFor(() => expect(picture()?.getAttribute('src')).toBe('https://example.org/gone.png'));
  fireEvent.error(picture() as Element);
  await waitFor(() => expect(picture()?.getAttribute('src')).toBe('/logo.svg'));
});

test('a site for one person shows that and offers no registration; a demo shows it too', async () => {
  stubApi({ ...served, 'GET /api/status': statusWith({ self_use_mode_enabled: true }) });
  const first = await renderConsole({ at: '/about' });
  expect((await top()).getByText('Self-use mode')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Sign up' })).toBeNull();
  first.unmount();
  stubApi({ ...served, 'GET /api/status': statusWith({ demo_site_enabled: true }) });
  await renderConsole({ at: '/about' });
  expect((await top()).getByText('Demo site')).toBeTruthy();
});

test('the theme is switched, kept, and there again after a reload', async () => {
  stubApi(served);
  const first = await renderConsole({ at: '/about' });
  await first.person.click(await screen.findByRole('button', { name: 'Switch to dark theme' }));
  expect(document.documentElement.dataset.theme ?? document.body.dataset.theme).toBe('dark');
  expect(localStorage.getItem('theme-mode')).toBe('dark');
  first.unmount();
  await renderConsole({ at: '/about' });
  await first.person.click(await screen.findByRole('button', { name: 'Switch to light theme' }));
  expect(localStorage.getItem('theme-mode')).toBe('light');
});

test('the language is switched for every text at once, and kept', async () => {
  stubApi(served);
  const { person } = await renderConsole({ at: '/about' });
  await person.click(await screen.findByRole('button', { name: 'Language' }));
  await person.click(await screen.findByRole('menuitem', { name: '中文' }));
  expect(await screen.findByRole('link', { name: '定价' })).toBeTruthy();
  expect(screen.queryByText('Pricing')).toBeNull();
  expect(localStorage.getItem('i18nextLng')).toBe('zh');
});

test('the language is Chinese when none was chosen, or one that is not there', async () => {
  for (const stored of [null, 'fr']) {
    if (stored !== null) localStorage.setItem('i18nextLng', stored);
    stubApi(served);
    const { unmount } = await renderConsole({ at: '/about', language: storedLanguage() });
    expect(await screen.findByRole('link', { name: '定价' })).toBeTruthy();
    unmount();
  }
});

test('an unknown address shows that it is unknown, and where to go', async () => {
  stubApi(served);
  const first = await renderConsole({ at: '/no/such/page' });
  expect(await screen.findByText('This page does not exist')).toBeTruthy();
  expect(screen.getByText('Please check the address in your browser')).toBeTruthy();
  first.unmount();
  await renderConsole({ at: '/token/unknown', user: aUser });
  expect(await screen.findByText('This page does not exist')).toBeTruthy();
});

test('until the site is set up, every address leads to the set-up', async () => {
  const blank = ok({ status: false, root_init: false, database_type: 'sqlite' });
  for (const at of ['/', '/pricing', '/login', '/token', '/no/such/page']) {
    stubApi({
      ...served,
      'GET /api/status': statusWith({ setup: false }),
      'GET /api/setup': blank,
    });
    const { unmount } = await renderConsole({ at });
    expect(await screen.findByRole('button', { name: 'Initialise system' })).toBeTruthy();
    expect(window.location.pathname, at).toBe('/setup');
    unmount();
  }
});

test('the side navigation shows a person what is theirs', async () => {
  stubApi({
    ...served,
    'GET /api/status': statusWith({ enable_drawing: true, enable_task: true }),
  });
  await renderConsole({ at: '/token', user: aUser });
  const nav = await side();
  const names = ['Playground', 'Dashboard', 'API keys', 'Usage log', 'Drawing log', 'Task log'];
  for (const name of [...names, 'Wallet', 'Personal settings']) {
    expect(nav.getByRole('link', { name })).toBeTruthy();
  }
  for (const name of ['Channels', 'Redemption codes', 'Users', 'Settings']) {
    expect(nav.queryByRole('link', { name })).toBeNull();
  }
});

test('administrators also see theirs', async () => {
  stubApi(served);
  await renderConsole({ at: '/token', user: anAdmin });
  const nav = await side();
  for (const name of ['Channels', 'Redemption codes', 'Users', 'Settings']) {
    expect(nav.getByRole('link', { name })).toBeTruthy();
  }
});

test('the pages of operators are folded until one of them is open', async () => {
  stubApi({ ...served, 'GET /api/jobs': ok([]) });
  const first = await renderConsole({ at: '/token', user: anAdmin });
  const folded = () => screen.getByText('Operations').closest('details')?.open;
  await side();
  expect(folded()).toBe(false);
  first.unmount();
  await renderConsole({ at: '/verify', user: anAdmin });
  const nav = await side();
  expect(nav.getByRole('link', { name: 'Verify' }).getAttribute('aria-current')).toBe('page');
  expect(folded()).toBe(true);
});

test('the title of the window names the page and the site', async () => {
  stubApi(served);
  await renderConsole({ at: '/token', user: aUser });
  await waitFor(() => expect(document.title).toBe('API keys · Tollgate'));
});

const { quota_remind_threshold: _own, ...aRow } = aSelf;
const aFoundUser = {
  ...aRow,
  password: '',
  verification_code: '',
  access_token: null,
  DeletedAt: null,
  second_factor: false,
};

test('Ctrl-K finds pages, users, channels and keys, and leads there', async () => {
  const { calls } = stubApi({
    ...served,
    'GET /api/token/search': ok([]),
    'GET /api/user/search': ok({
      items: [aFoundUser],
      page: 1,
      page_size: 5,
      total: 1,
    }),
    'GET /api/channel/search': ok([]),
  });
  const { person } = await renderConsole({ at: '/token', user: anAdmin });
  await side();
  await person.keyboard('{Control>}k{/Control}');
  const palette = within(await screen.findByRole('dialog', { name: 'Search and commands' }));
  const field = palette.getByRole('combobox');
  await waitFor(() => expect(document.activeElement).toBe(field));
  await person.type(field, 'led');
  await waitFor(() => expect(palette.getAllByRole('option')).toHaveLength(1));
  const ledger = palette.getByRole('option', { name: /Ledger/ });
  expect(ledger.getAttribute('aria-selected')).toBe('true');
  expect(field.getAttribute('aria-activedescendant')).toBe(ledger.id);
  await person.clear(field);
  await person.type(field, 'ada');
  expect(await palette.findByRole('option', { name: /ada/ })).toBeTruthy();
  expect(calls.some(({ path }) => path === '/api/user/search')).toBe(true);
  await person.clear(field);
  await person.type(field, 'ledger');
  await waitFor(() => expect(palette.getAllByRole('option')).toHaveLength(1));
  await person.keyboard('{Enter}');
  await waitFor(() => expect(window.location.pathname).toBe('/ledger'));
  expect(screen.queryByRole('dialog', { name: 'Search and commands' })).toBeNull();
});

test.each([
  ['an administrator', anAdmin, '/api/log/find'],
  ['a user', aUser, '/api/log/self/find'],
])('%s who pastes a request id reaches the call', async (_, user, path) => {
  const id = '20260212080000MarkMark0000001';
  const call = { ...aFailedCall, type: 2, created_at: 1_770_883_202, request_id: id };
  const nothing = ok({ items: [], page: 1, page_size: 10, total: 0 });
  stubApi({
    ...served,
    'GET /api/token/search': ok([]),
    'GET /api/user/search': nothing,
    'GET /api/channel/search': ok([]),
    'GET /api/log/': nothing,
    'GET /api/log/self': nothing,
    [`GET ${path}`]: ({ query }: StubCall) =>
      ok(id.startsWith(query.get('request_id') ?? '-') ? [call] : []),
  });
  const { person } = await renderConsole({ at: '/token', user });
  await side();
  await person.keyboard('{Control>}k{/Control}');
  const palette = within(await screen.findByRole('dialog', { name: 'Search and commands' }));
  await person.click(palette.getByRole('combobox'));
  await person.paste(id.slice(0, 20));
  await person.click(await palette.findByRole('option', { name: new RegExp(`Call ${id}`) }));
  await waitFor(() => expect(window.location.search).toBe(`?call=${id}`));
  const drawer = within(await screen.findByRole('dialog', { name: 'gpt-4o' }));
  expect(await drawer.findByText(id)).toBeTruthy();
  expect(drawer.getByRole('link', { name: /ledger/i }).getAttribute('href')).toContain('/ledger');
  await person.keyboard('{Escape}');
  await waitFor(() => expect(window.location.search).toBe(''));
});

test('the sidebar folds, and the choice outlives what the site would have', async () => {
  stubApi({ ...served, 'GET /api/status': statusWith({ default_collapse_sidebar: true }) });
  const first = await renderConsole({ at: '/token', user: aUser });
  await first.person.click(await screen.findByRole('button', { name: 'Expand sidebar' }));
  expect(localStorage.getItem('default_collapse_sidebar')).toBe('false');
  first.unmount();
  await renderConsole({ at: '/token', user: aUser });
  expect(await screen.findByRole('button', { name: 'Collapse sidebar' })).toBeTruthy();
});

test('the footer is what the operator wrote, cleaned, and otherwise the product', async () => {
  stubApi({
    ...served,
    'GET /api/status': statusWith({ footer_html: '<b>Ours</b><script>bad()</script>' }),
  });
  const first = await renderConsole({ at: '/about' });
  const footer = () => within(screen.getByRole('contentinfo'));
  expect((await screen.findByText('Ours')).tagName).toBe('B');
  expect(document.querySelector('footer script')).toBeNull();
  localStorage.setItem('footer_html', '<i>Newer</i>');
  await waitFor(() => expect(footer().getByText('Newer')).toBeTruthy());
  first.unmount();
  localStorage.clear();
  stubApi(served);
  await renderConsole({ at: '/about' });
  expect(await screen.findByText(/^Tollgate 1$/)).toBeTruthy();
});

test('signing out clears the person and leads to the login page', async () => {
  stubApi(served);
  const { person } = await renderConsole({ at: '/about', user: aUser });
  const bar = await top();
  expect(bar.queryByRole('link', { name: 'Sign in' })).toBeNull();
  expect(JSON.parse(localStorage.getItem('user') ?? '{}').username).toBe('ada');
  await person.click(bar.getByRole('button', { name: 'User menu: ada' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Sign out' }));
  await waitFor(() => expect(window.location.pathname).toBe('/login'));
  expect(localStorage.getItem('user')).toBeNull();
});

test('a lost session leads to the login page, which shows why', async () => {
  stubApi({ ...served, 'GET /api/token/': answered(401) });
  await renderConsole({ at: '/token', user: aUser });
  await waitFor(() => expect(window.location.pathname).toBe('/login'));
  expect(await screen.findByText(/not signed in|session.*expired|expired/i)).toBeTruthy();
  expect(localStorage.getItem('user')).toBeNull();
});

test('public pages open without a session, the others require one', async () => {
  const open = ['/', '/login', '/register', '/reset', '/pricing', '/about'];
  const closed = [
    ...['/token', '/playground', '/personal', '/topup', '/log', '/detail', '/midjourney'],
    ...['/task', '/chat', '/chat2link', '/channel', '/channel/add', '/channel/edit/1'],
    ...['/redemption', '/user', '/user/edit', '/user/edit/1', '/setting'],
  ];
  stubApi({ ...served, 'GET /api/pricing': { success: true, message: '', data: [] } });
  for (const at of [...open, ...closed]) {
    const { unmount } = await renderConsole({ at });
    await screen.findByRole('main');
    await waitFor(() =>
      expect(window.location.pathname, at).toBe(closed.includes(at) ? '/login' : at),
    );
    unmount();
  }
});
