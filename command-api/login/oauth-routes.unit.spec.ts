import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IdentityLinked } from '../../domain/user/events.ts';
import {
  type LoginSide,
  serverAddress,
  startLogins,
} from '../../tests/support/login/start-logins.ts';
import type { Visitor } from '../../tests/support/login/visitor.ts';
import { AuthenticatorApp } from '../../tests/support/totp.ts';

let site: LoginSide;
beforeAll(async () => {
  site = await startLogins();
});
afterAll(() => site.stop());

const octocat = { id: 583231, login: 'octocat', name: 'The Octocat', email: 'octo@example.com' };

const byGitHub = async (
  visitor: Visitor,
  user: Parameters<LoginSide['services']['githubCode']>[0],
) => {
  const { state } = await visitor.begin('github');
  return visitor.return('github', { code: site.services.githubCode(user), state });
};

test('the browser is sent to GitHub with the client id, the scope and a state', async () => {
  const { state, url } = await site.visitor().begin('github');
  const target = new URL(url);
  expect(target.pathname).toBe('/login/oauth/authorize');
  expect(Object.fromEntries(target.searchParams)).toEqual({
    client_id: 'tollgate',
    redirect_uri: `${serverAddress}/oauth/github`,
    scope: 'user:email',
    state,
  });
});

test('a new person is registered by GitHub, and signed in', async () => {
  const visitor = site.visitor();
  const { status, body } = await byGitHub(visitor, octocat);
  expect(status).toBe(200);
  const { userId } = site.registered().at(-1) ?? { userId: 0 };
  expect(body).toMatchObject({
    success: true,
    message: '',
    data: { id: userId, username: `github_${userId}`, display_name: 'The Octocat', role: 1 },
  });
  const self = await visitor.call('GET', '/api/user/token');
  expect(self.body).toMatchObject({ success: true });
  expect(site.logins().at(-1)).toMatchObject({ userId, method: 'github', session: {} });
});

test('the same person reaches the same account, whatever their name is by then', async () => {
  const before = site.registered().length;
  const { body } = await byGitHub(site.visitor(), { ...octocat, login: 'renamed', name: null });
  expect(body).toMatchObject({ success: true, data: { display_name: 'The Octocat' } });
  expect(site.registered()).toHaveLength(before);
});

test('a login that was taken over at GitHub does not open the old account', async () => {
  const { body } = await byGitHub(site.visitor(), { id: 999, login: 'octocat' });
  expect(body).toMatchObject({ success: true, data: { display_name: 'GitHub User' } });
});

test('what a provider reports of a person is sealed, and never in the log in the clear', () => {
  const links = site.side.events<IdentityLinked['data']>('IdentityLinked');
  expect(links.some(({ provider }) => provider === 'github')).toBe(true);
  expect(JSON.stringify(links)).not.toMatch(/octocat|583231|octo@example/);
});

test('of two simultaneous first logins one makes the account, and no person is made twice', async () => {
  const before = site.registered().length;
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => byGitHub(site.visitor(), { id: 4711, login: 'twice' })),
  );
  expect(site.registered()).toHaveLength(before + 1);
  expect(answers.filter(({ body }) => body.success === true).length).toBeGreaterThanOrEqual(1);
  const { body } = await byGitHub(site.visitor(), { id: 4711, login: 'twice' });
  expect(body).toMatchObject({ success: true });
});

test('a new person is registered by Linux DO, and their inviter is kept', async () => {
  const inviter = await byGitHub(site.visitor(), octocat);
  const inviterId = (inviter.body.data as { id: number }).id;
  const { affCode } = site.registered().find(({ userId }) => userId === inviterId) ?? {};
  const visitor = site.visitor();
  const { state, url } = await visitor.begin('linuxdo', affCode);
  expect(new URL(url).searchParams.get('response_type')).toBe('code');
  const code = site.services.linuxDoCode({ id: 12, username: 'neo', name: 'Neo' });
  const { body } = await visitor.return('linuxdo', { code, state });
  expect(body).toMatchObject({ success: true, data: { display_name: 'Neo' } });
  expect(site.registered().at(-1)).toMatchObject({ inviterId, passwordHash: null, email: null });
});

test('an account is bound by who is signed in, and signs them in from then on', async () => {
  const visitor = site.visitor();
  await byGitHub(visitor, { id: 20, login: 'binder' });
  const { userId } = visitor;
  const { state } = await visitor.begin('linuxdo');
  const code = site.services.linuxDoCode({ id: 20, username: 'binder' });
  const { body } = await visitor.return('linuxdo', { code, state });
  expect(body).toEqual({ success: true, message: 'bind' });

  const later = site.visitor();
  const begun = await later.begin('linuxdo');
  const again = site.services.linuxDoCode({ id: 20, username: 'binder' });
  await later.return('linuxdo', { code: again, state: begun.state });
  expect(later.userId).toBe(userId);
});

test('what is bound to another person cannot be bound', async () => {
  const visitor = site.visitor();
  await byGitHub(visitor, { id: 21, login: 'other' });
  const { state } = await visitor.begin('linuxdo');
  const code = site.services.linuxDoCode({ id: 20, username: 'binder' });
  const { body } = await visitor.return('linuxdo', { code, state });
  expect(body).toMatchObject({ code: 'login.identity-taken', message: /Linux DO/ });
});

test('what was unlinked may be linked again, and no longer signs anybody in', async () => {
  const visitor = site.visitor();
  await byGitHub(visitor, { id: 30, login: 'mover' });
  const only = await visitor.call('DELETE', '/api/user/self/identity/github');
  expect(only.body).toMatchObject({ code: 'user.last-way-in' });
  const begun = await visitor.begin('linuxdo');
  const code = site.services.linuxDoCode({ id: 30, username: 'mover' });
  await visitor.return('linuxdo', { code, state: begun.state });
  const unlinked = await visitor.call('DELETE', '/api/user/self/identity/linuxdo');
  expect(unlinked.body).toEqual({ success: true, message: '' });

  const { state } = await visitor.begin('linuxdo');
  const again = site.services.linuxDoCode({ id: 30, username: 'mover' });
  expect((await visitor.return('linuxdo', { code: again, state })).body.message).toBe('bind');
});

test('a banned account stays shut, and so does a deleted one', async () => {
  const visitor = site.visitor();
  await byGitHub(visitor, { id: 40, login: 'banned' });
  const manage = (action: string) =>
    site.root.call('POST', '/api/user/manage', { body: { id: visitor.userId, action } });
  await manage('disable');
  expect((await byGitHub(site.visitor(), { id: 40, login: 'banned' })).body).toMatchObject({
    code: 'user.banned',
  });
  await manage('delete');
  expect((await byGitHub(site.visitor(), { id: 40, login: 'banned' })).body).toMatchObject({
    code: 'user.deleted',
  });
});

test('while registration is off, only registered people get in', async () => {
  await site.set({ RegisterEnabled: 'false' });
  const stranger = await byGitHub(site.visitor(), { id: 50, login: 'stranger' });
  expect(stranger.body).toMatchObject({ code: 'user.registration-off' });
  expect((await byGitHub(site.visitor(), octocat)).body).toMatchObject({ success: true });
  await site.set({ RegisterEnabled: 'true' });
});

test('an address is kept only when the rules allow it and it is free', async () => {
  await byGitHub(site.visitor(), { id: 60, login: 'a', email: 'octo@example.com' });
  expect(site.registered().at(-1)?.email).toBeNull();
  await site.set({ EmailDomainRestrictionEnabled: 'true' });
  await byGitHub(site.visitor(), { id: 61, login: 'b', email: 'b@nowhere.example' });
  expect(site.registered().at(-1)?.email).toBeNull();
  await byGitHub(site.visitor(), { id: 62, login: 'c', email: 'c@gmail.com' });
  expect(site.registered().at(-1)?.email).not.toBeNull();
  await site.set({ EmailDomainRestrictionEnabled: 'false' });
});

test('a provider that is switched off is refused by name', async () => {
  await site.set({ LinuxDOOAuthEnabled: 'false' });
  const visitor = site.visitor();
  const { body } = await visitor.call('GET', '/api/oauth/state', {
    query: { provider: 'linuxdo' },
  });
  expect(body).toMatchObject({ code: 'login.provider-off', message: /Linux DO/ });
  const { body: plain } = await visitor.call('GET', '/api/oauth/state');
  const returned = await visitor.return('linuxdo', { code: 'x', state: String(plain.data) });
  expect(returned.body).toMatchObject({ code: 'login.provider-off' });
  await site.set({ LinuxDOOAuthEnabled: 'true' });
});

test('a refusal of the provider is shown in its words', async () => {
  const visitor = site.visitor();
  const { state } = await visitor.begin('linuxdo');
  const query = { state, error: 'access_denied', error_description: 'You said no' };
  const { body } = await visitor.return('linuxdo', query);
  expect(body).toMatchObject({ code: 'login.provider-refused', message: /You said no/ });
});

test('a code that GitHub rejects, or a user without an id, signs no person in', async () => {
  const visitor = site.visitor();
  const first = await visitor.begin('github');
  const wrong = await visitor.return('github', { code: 'made-up', state: first.state });
  expect(wrong.body).toMatchObject({ code: 'login.token-failed' });
  const second = await visitor.begin('github');
  const none = await visitor.return('github', { code: '', state: second.state });
  expect(none.body).toMatchObject({ code: 'login.code-missing' });
  expect((await byGitHub(visitor, { login: '' })).body).toMatchObject({
    code: 'login.github-profile-empty',
  });
});

test('a person with a second factor is asked for it after the provider, and signed in by both', async () => {
  const visitor = site.visitor();
  const user = { id: 9_001, login: 'careful' };
  const { body: first } = await byGitHub(visitor, user);
  expect(first).toMatchObject({ success: true });
  const totp = '/api/user/second_factors/totp';
  const begun = (await visitor.call('POST', totp)).body.data as { token: string; secret: string };
  const app = new AuthenticatorApp(begun.secret);
  const proof = { token: begun.token, code: await app.nextCode() };
  expect((await visitor.call('PUT', totp, { body: proof })).body).toMatchObject({ success: true });
  const browser = site.visitor();
  const { body, setCookies } = await byGitHub(browser, user);
  const { second_factor: asked } = body.data as { second_factor: { token: string } };
  expect(setCookies.some((cookie) => cookie.startsWith('session='))).toBe(false);
  const done = await browser.call('POST', '/api/user/login/second_factor', {
    body: { method: 'totp', token: asked.token, code: await app.nextCode() },
  });
  expect(done.body).toMatchObject({ success: true, data: { id: visitor.userId } });
  expect(site.logins().at(-1)).toMatchObject({ method: 'github', secondFactor: 'totp' });
});
