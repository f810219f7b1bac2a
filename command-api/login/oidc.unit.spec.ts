import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  agreeAtProvider,
  type OpenIdProvider,
  startOpenIdProvider,
} from '../../tests/support/login/openid-provider.ts';
import {
  type LoginSide,
  oidcOptions,
  serverAddress,
  startLogins,
  stubClient,
} from '../../tests/support/login/start-logins.ts';
import type { Visitor } from '../../tests/support/login/visitor.ts';

let site: LoginSide;
let provider: OpenIdProvider;
beforeAll(async () => {
  provider = await startOpenIdProvider(stubClient('oidc'), {
    ada: {
      email: 'ada@example.com',
      email_verified: true,
      name: 'Ada Lovelace',
      preferred_username: 'ada',
    },
    eve: { email: 'eve@example.com', email_verified: false, preferred_username: 'ro ot@corp' },
    ida: { email: 'ida@example.com', preferred_username: 'ida' },
    nobody: { email: '' },
  });
  site = await startLogins();
  await site.set(oidcOptions(provider.wellKnown));
});
afterAll(async () => {
  await site.stop();
  await provider.close();
});

const byOidc = async (visitor: Visitor, login: string, aff?: string) => {
  const { url } = await visitor.begin('oidc', aff);
  const back = await agreeAtProvider(url, login);
  return visitor.return('oidc', Object.fromEntries(back.searchParams));
};

test('the browser is sent to the provider with state, nonce and a PKCE challenge', async () => {
  const { state, url } = await site.visitor().begin('oidc');
  const query = new URL(url).searchParams;
  expect(url.startsWith(`${provider.issuer}/auth?`)).toBe(true);
  expect(query.get('scope')).toBe('openid profile email');
  expect(query.get('redirect_uri')).toBe(`${serverAddress}/oauth/oidc`);
  expect(query.get('state')).toBe(state);
  expect(query.get('code_challenge_method')).toBe('S256');
  expect(query.get('code_challenge')).toMatch(/^[\w-]{43}$/);
  expect(query.get('nonce')).toMatch(/^[\w-]{43}$/);
});

test('a new person is registered by a real OpenID provider, under their name there', async () => {
  const visitor = site.visitor();
  const { body } = await byOidc(visitor, 'ada');
  expect(body).toMatchObject({
    success: true,
    data: { username: 'ada', display_name: 'Ada Lovelace' },
  });
  expect(site.registered().at(-1)).toMatchObject({ passwordHash: null, group: 'default' });
  expect(site.registered().at(-1)?.email).not.toBeNull();
  const { userId } = visitor;
  const again = site.visitor();
  await byOidc(again, 'ada');
  expect(again.userId).toBe(userId);
});

test('an address that the provider has not verified is not kept, and a name is cut to fit', async () => {
  const { body } = await byOidc(site.visitor(), 'eve');
  expect(body).toMatchObject({ success: true, data: { username: /^root(_[0-9a-f]{4})?$/ } });
  expect(site.registered().at(-1)?.email).toBeNull();
  const names = site.registered().map(({ username }) => username);
  expect(new Set(names).size).toBe(names.length);
  expect(names).not.toContain('root');
});

test('an address that the provider does not report as verified is not kept', async () => {
  const { body } = await byOidc(site.visitor(), 'ida');
  expect(body).toMatchObject({ success: true, data: { username: 'ida' } });
  expect(site.registered().at(-1)?.email).toBeNull();
});

test('an account without an e-mail address is refused, as the settings are likely wrong', async () => {
  const { body } = await byOidc(site.visitor(), 'nobody');
  expect(body).toMatchObject({ code: 'login.profile-empty' });
});

test('a code is valid once, also when the browser returns with another state', async () => {
  const visitor = site.visitor();
  const { url } = await visitor.begin('oidc');
  const back = await agreeAtProvider(url, 'ada');
  const first = await visitor.return('oidc', Object.fromEntries(back.searchParams));
  expect(first.body).toMatchObject({ success: true });
  const other = site.visitor();
  const { state } = await other.begin('oidc');
  const code = back.searchParams.get('code') ?? '';
  const second = await other.return('oidc', { code, state });
  expect(second.body).toMatchObject({ success: false, code: 'login.token-failed' });
});

test('the settings form learns the addresses of a provider from its document', async () => {
  const discover = (well_known: string) =>
    site.root.call('POST', '/api/option/oidc_discovery', { body: { well_known } });
  expect((await discover(provider.wellKnown)).body).toMatchObject({
    success: true,
    data: {
      issuer: provider.issuer,
      authorization_endpoint: `${provider.issuer}/auth`,
      token_endpoint: `${provider.issuer}/token`,
      userinfo_endpoint: `${provider.issuer}/me`,
    },
  });
  for (const wrong of ['', 'ftp://x', 'javascript:alert(1)', `${site.services.url}/nothing`]) {
    expect((await discover(wrong)).body, wrong).toMatchObject({ code: 'login.discovery-failed' });
  }
});

test('without a discovery document no browser is redirected', async () => {
  await site.set({ 'oidc.well_known': '' });
  const { body } = await site
    .visitor()
    .call('GET', '/api/oauth/state', { query: { provider: 'oidc' } });
  expect(body).toMatchObject({ code: 'login.not-configured', message: /OIDC/ });
  await site.set({ 'oidc.well_known': provider.wellKnown });
});

test('the client secret is never returned and never in the log in the clear', async () => {
  const log = JSON.stringify(site.side.eventStore.all, (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  expect(log).not.toContain(stubClient('oidc').clientSecret);
});
