import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ForgingProvider,
  startForgingProvider,
} from '../../tests/support/login/forging-provider.ts';
import {
  type LoginSide,
  oidcOptions,
  serverAddress,
  startLogins,
  stubClient,
} from '../../tests/support/login/start-logins.ts';
import { telegramFields } from '../../tests/support/login/telegram.ts';
import type { Visitor } from '../../tests/support/login/visitor.ts';

let site: LoginSide;
let provider: ForgingProvider;
beforeAll(async () => {
  provider = await startForgingProvider(stubClient('oidc').clientId);
  site = await startLogins();
  await site.set(oidcOptions(provider.wellKnown));
});
afterAll(async () => {
  await site.stop();
  await provider.close();
});

const aUser = { id: 1, login: 'victim' };
const byGitHub = async (visitor: Visitor, user = aUser) => {
  const { state } = await visitor.begin('github');
  return visitor.return('github', { code: site.services.githubCode(user), state });
};
const stateRefused = { status: 403, body: { success: false, code: 'login.state-invalid' } };

describe('a state', () => {
  test('is good once', async () => {
    const visitor = site.visitor();
    const { state } = await visitor.begin('github');
    const code = () => site.services.githubCode(aUser);
    expect((await visitor.return('github', { code: code(), state })).status).toBe(200);
    const stranger = site.visitor();
    stranger.cookies.set('login', visitor.cookies.get('login') ?? '');
    expect(await stranger.return('github', { code: code(), state })).toMatchObject(stateRefused);
  });

  test('is good once, also for many at one moment', async () => {
    const visitor = site.visitor();
    const { state } = await visitor.begin('github');
    const returns = await Promise.all(
      Array.from({ length: 10 }, () =>
        visitor.call('GET', '/api/oauth/github', {
          query: { code: site.services.githubCode(aUser), state },
        }),
      ),
    );
    expect(returns.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test.each([
    ['none', {}],
    ['an empty one', { state: '' }],
    ['an unknown one', { state: 'x'.repeat(32) }],
    ['a huge one', { state: 'x'.repeat(4_000) }],
  ])('that is %s is refused', async (_, query) => {
    const visitor = site.visitor();
    await visitor.begin('github');
    const code = site.services.githubCode(aUser);
    expect(await visitor.return('github', { code, ...query })).toMatchObject(stateRefused);
  });

  test('of another browser is refused, so a link cannot sign a person in as another one', async () => {
    const attacker = site.visitor();
    const { state } = await attacker.begin('github');
    const query = { code: site.services.githubCode(aUser), state };
    const victim = site.visitor();
    expect(await victim.return('github', query)).toMatchObject(stateRefused);
    await victim.begin('github');
    expect(await victim.return('github', query)).toMatchObject(stateRefused);
    expect(victim.cookies.has('session')).toBe(false);
  });

  test('of a signed-out page does not bind an account to who signs in later', async () => {
    const visitor = site.visitor();
    const early = await visitor.begin('linuxdo');
    await byGitHub(visitor);
    const code = site.services.linuxDoCode({ id: 66, username: 'attacker' });
    const query = { code, state: early.state };
    expect(await visitor.return('linuxdo', query)).toMatchObject(stateRefused);
  });

  test('of another person who was signed in here does not bind to the next person', async () => {
    const visitor = site.visitor();
    await byGitHub(visitor, { id: 2, login: 'first' });
    const early = await visitor.begin('linuxdo');
    visitor.userId = -1;
    visitor.cookies.delete('session');
    await byGitHub(visitor, { id: 3, login: 'second' });
    const code = site.services.linuxDoCode({ id: 67, username: 'first' });
    const query = { code, state: early.state };
    expect(await visitor.return('linuxdo', query)).toMatchObject(stateRefused);
  });

  test('for one provider is not good for another', async () => {
    const visitor = site.visitor();
    const { state } = await visitor.begin('github');
    const code = site.services.linuxDoCode({ id: 68, username: 'mixed-up' });
    expect(await visitor.return('linuxdo', { code, state })).toMatchObject(stateRefused);
  });

  test('without nonce and challenge is not good for OpenID', async () => {
    const visitor = site.visitor();
    const { url } = await visitor.begin('oidc');
    const { body } = await visitor.call('GET', '/api/oauth/state');
    const query = { code: provider.agree(url), state: String(body.data) };
    expect(await visitor.return('oidc', query)).toMatchObject(stateRefused);
  });

  test('lies in a cookie of ours that no script reads and no other site sends', async () => {
    const { setCookies } = await site.visitor().call('GET', '/api/oauth/state');
    expect(setCookies[0]).toMatch(/^login=[\w-]{43}; .*HttpOnly; SameSite=Strict; Secure$/);
    await site.set({ ServerAddress: 'http://gate.test' });
    const plain = await site.visitor().call('GET', '/api/oauth/state');
    expect(plain.setCookies[0]).toMatch(/SameSite=Strict$/);
    const tls = { headers: { 'x-forwarded-proto': 'https' } };
    const safe = await site.visitor().call('GET', '/api/oauth/state', tls);
    expect(safe.setCookies[0]).toMatch(/; Secure$/);
    await site.set({ ServerAddress: serverAddress });
  });
});

describe('an ID token', () => {
  const byOidc = async () => {
    const visitor = site.visitor();
    const { state, url } = await visitor.begin('oidc');
    return visitor.return('oidc', { code: provider.agree(url), state });
  };

  test('that is as it must be signs in', async () => {
    provider.forge({});
    expect((await byOidc()).body).toMatchObject({ success: true });
  });

  const now = Math.floor(Date.now() / 1_000);
  test.each([
    ['for another nonce', { claims: { nonce: 'of-somebody-else' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['for another client', { claims: { aud: 'another-site' } }],
    ['for two clients, handed to the other', { claims: { aud: ['x', 'tollgate'], azp: 'x' } }],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['that has expired', { claims: { iat: now - 7_200, exp: now - 3_600 } }],
    ['signed by a foreign key', { foreignKey: true }],
    ['that is not signed', { unsigned: true }],
    ['without a subject', { claims: { sub: undefined } }],
  ])('%s signs no person in', async (_, forgery) => {
    provider.forge(forgery);
    const { status, body, setCookies } = await byOidc();
    expect({ status, body }).toMatchObject({ status: 200, body: { code: 'login.token-failed' } });
    expect(setCookies.some((cookie) => cookie.startsWith('session='))).toBe(false);
  });

  test('of one person with the data of another signs neither in', async () => {
    provider.forge({ infoSubject: 'somebody-else' });
    expect((await byOidc()).body).toMatchObject({ code: 'login.profile-failed' });
  });

  test('for a code that was stolen from another browser never succeeds', async () => {
    provider.forge({});
    const victim = site.visitor();
    const stolen = provider.agree((await victim.begin('oidc')).url);
    const attacker = site.visitor();
    const { state } = await attacker.begin('oidc');
    const { body } = await attacker.return('oidc', { code: stolen, state });
    expect(body).toMatchObject({ code: 'login.token-failed' });
  });

  test('that returned with the name of another issuer is not accepted', async () => {
    provider.forge({});
    const visitor = site.visitor();
    const { state, url } = await visitor.begin('oidc');
    const query = { code: provider.agree(url), state, iss: 'https://evil.example' };
    expect((await visitor.return('oidc', query)).body).toMatchObject({
      code: 'login.token-failed',
    });
  });
});

describe('Telegram', () => {
  const login = (fields: Readonly<Record<string, string>>) =>
    site.visitor().call('GET', '/api/oauth/telegram/login', { query: fields });
  const invalid = { code: 'login.telegram-invalid' };
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);

  test('binds who is signed in, leads them on, and signs them in from then on', async () => {
    const visitor = site.visitor();
    await byGitHub(visitor);
    const fields = telegramFields(77, new Date());
    expect((await login(fields)).body).toMatchObject({ code: 'login.telegram-unbound' });
    const bound = await visitor.call('GET', '/api/oauth/telegram/bind', { query: fields });
    expect(bound).toMatchObject({ status: 302, location: '/setting' });
    const { body } = await login({ ...fields, lang: 'en' });
    expect(body).toMatchObject({ success: true, data: { id: visitor.userId } });
    const other = site.visitor();
    await byGitHub(other, { id: 78, login: 'other' });
    const taken = await other.call('GET', '/api/oauth/telegram/bind', { query: fields });
    expect(taken.body).toMatchObject({ code: 'login.identity-taken', message: /Telegram/ });
  });

  test.each([
    ['a hash by another bot', () => telegramFields(77, new Date(), 'other:token')],
    ['somebody else’s id', () => ({ ...telegramFields(78, new Date()), id: '77' })],
    ['another name', () => ({ ...telegramFields(77, new Date()), first_name: 'Eve' })],
    ['a field left out', () => ({ ...telegramFields(77, new Date()), username: '' })],
    [
      'a newline that hides a field',
      () => ({
        ...telegramFields(77, new Date()),
        first_name: 'Ada\nid=78',
      }),
    ],
    ['a short hash', () => ({ ...telegramFields(77, new Date()), hash: '00' })],
    ['no hash', () => ({ ...telegramFields(77, new Date()), hash: '' })],
    ['a day and an hour gone by', () => telegramFields(77, ago(25))],
    ['a time to come', () => telegramFields(77, ago(-1))],
    ['no time', () => ({ ...telegramFields(77, new Date()), auth_date: '' })],
  ])('refuses %s', async (_, fields) => {
    expect((await login(fields())).body).toMatchObject(invalid);
  });

  test('refuses everybody while the operator has given no bot token', async () => {
    await site.set({ TelegramBotToken: '' });
    expect((await login(telegramFields(77, new Date(), ''))).body).toMatchObject(invalid);
    await site.set({ TelegramBotToken: '123456:bot-token' });
  });

  test('binds no person who is not signed in', async () => {
    const query = telegramFields(79, new Date());
    const { status } = await site.visitor().call('GET', '/api/oauth/telegram/bind', { query });
    expect(status).toBe(401);
  });
});

describe('WeChat', () => {
  const login = (code: string, headers: Readonly<Record<string, string>> = {}) =>
    site.visitor().call('GET', '/api/oauth/wechat', { query: { code }, headers });

  test('registers and signs in who typed the code of the account', async () => {
    const first = await login(site.services.wechatCode('o-ada'));
    expect(first.body).toMatchObject({ success: true, data: { display_name: 'WeChat User' } });
    const again = await login(site.services.wechatCode('o-ada'));
    expect(again.body.data).toEqual(first.body.data);
  });

  test('refuses a wrong code, a used one and none', async () => {
    const code = site.services.wechatCode('o-eve');
    await login(code);
    for (const wrong of [code, '123456', 'a&token=b']) {
      expect((await login(wrong)).body).toMatchObject({ code: 'login.wechat-code-wrong' });
    }
    expect((await login('')).body).toMatchObject({ code: 'login.code-missing' });
  });

  test('binds who is signed in, once, and replaces what they had', async () => {
    const visitor = site.visitor();
    await byGitHub(visitor, { id: 90, login: 'chatty' });
    const bind = (code: string) =>
      visitor.call('GET', '/api/oauth/wechat/bind', { query: { code } });
    expect((await bind(site.services.wechatCode('o-ada'))).body).toMatchObject({
      code: 'login.wechat-taken',
    });
    expect((await bind(site.services.wechatCode('o-new'))).body).toMatchObject({ success: true });
    expect((await bind(site.services.wechatCode('o-newer'))).body).toMatchObject({ success: true });
  });

  test.each([
    [
      'another site',
      'request.cross-site',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    ],
    [
      'a neighbour of the site',
      'request.cross-site',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
    ],
    [
      'a link that is followed',
      'login.foreign-page',
      { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
    ],
  ])('signs no person in by %s', async (_, code, headers) => {
    const answer = await login(site.services.wechatCode('o-ada'), headers);
    expect(answer).toMatchObject({ status: 403, body: { code } });
    const query = telegramFields(77, new Date());
    const telegram = await site
      .visitor()
      .call('GET', '/api/oauth/telegram/login', { query, headers });
    expect(telegram).toMatchObject({ status: 403, body: { code } });
  });
});

describe('a provider', () => {
  test('cannot send the browser to a script, whatever its document contains', async () => {
    const { body } = await site.root.call('PUT', '/api/option/', {
      body: { key: 'oidc.authorization_endpoint', value: 'javascript:alert(1)' },
    });
    expect(body).toMatchObject({ success: false });
  });

  test('that a caller names in the query is not followed: the way back is the site’s own', async () => {
    const query = {
      provider: 'github',
      redirect_uri: 'https://evil.example',
      return_to: 'https://evil.example',
    };
    const { body } = await site.visitor().call('GET', '/api/oauth/state', {
      query,
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    });
    expect(String(body.authorize_url)).not.toContain('evil');
  });

  test('that floods us is given up within the bounds of size', async () => {
    site.services.misbehave('flood');
    const { body } = await byGitHub(site.visitor());
    site.services.misbehave(null);
    expect(body).toMatchObject({ code: 'login.unreachable', message: /GitHub/ });
  });

  test('that is silent is given up within five seconds', async () => {
    site.services.misbehave('hang');
    const began = performance.now();
    const { body } = await byGitHub(site.visitor());
    site.services.misbehave(null);
    expect(body).toMatchObject({ code: 'login.unreachable' });
    expect(performance.now() - began).toBeLessThan(15_000);
  });
});

test('guessing at codes is limited for each address', async () => {
  const strict = await startLogins(20);
  const guesses = [];
  for (let nth = 0; nth < 25; nth += 1) {
    const visitor = strict.visitor();
    guesses.push(await visitor.call('GET', '/api/oauth/wechat', { query: { code: String(nth) } }));
  }
  expect(guesses.at(-1)?.status).toBe(429);
  expect(strict.services.calls.length).toBeLessThanOrEqual(20);
  await strict.stop();
});
