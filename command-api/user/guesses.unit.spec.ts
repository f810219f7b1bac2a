import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { UserLoginFailed } from '../../domain/user/events.ts';
import { rootUser, startWriteSide, type WriteSide } from '../../tests/support/write-side.ts';

let side: WriteSide;
const start = async (given: Parameters<typeof startWriteSide>[0] = {}) => {
  side = await startWriteSide({ trustedProxies: ['127.0.0.1'], ...given });
  return side.root();
};
beforeEach(() => vi.useRealTimers());
afterEach(() => side.stop());

type From = Readonly<{ ip: string; cookies?: string }>;
const attempt = async (password: string, { ip, cookies }: From, username = 'root') => {
  const answer = await side.person().call('POST', '/api/user/login', {
    body: { username, password },
    headers: { 'x-forwarded-for': ip, ...(cookies ? { cookie: cookies } : {}) },
  });
  const given = [answer.headers['set-cookie'] ?? []].flat().map((text) => String(text));
  return { ...answer.body, code: answer.body.code, given };
};
const right = (from: From) => attempt(rootUser.password, from);
const codesOf = (answers: readonly { code: unknown }[]) => {
  const counted: Record<string, number> = {};
  for (const { code } of answers) counted[String(code)] = (counted[String(code)] ?? 0) + 1;
  return counted;
};
/** An address of a separate network. */
const elsewhere = (nth: number) => ({ ip: `10.${nth >> 8}.${nth & 255}.9` });
const failures = () => side.events<UserLoginFailed['data']>('UserLoginFailed');

test('the right password opens from a fresh address while two hundred others guess', async () => {
  await start();
  const guesses = Array.from({ length: 200 }, (_, nth) => attempt('wrong', elsewhere(nth)));
  const codes = codesOf(await Promise.all(guesses));
  expect(codes).toEqual({ 'auth.wrong-credentials': 200 });
  const begun = performance.now();
  expect(await right({ ip: '198.51.100.7' })).toMatchObject({ success: true });
  // The account is under attack: an unknown caller waits a moment.
  expect(performance.now() - begun).toBeGreaterThan(900);
});

test('one attacker gets ten guesses, with all addresses of the network together', async () => {
  await start();
  const answers: { code: unknown }[] = [];
  for (let nth = 0; nth < 60; nth += 1) {
    answers.push(await attempt('wrong', { ip: `203.0.113.${nth}` }));
  }
  expect(codesOf(answers)).toEqual({
    'auth.wrong-credentials': 10,
    'auth.too-many-attempts': 50,
  });
  expect(await right({ ip: '203.0.113.200' })).toMatchObject({ code: 'auth.too-many-attempts' });
  expect(await right({ ip: '198.51.100.7' })).toMatchObject({ success: true });
});

test('a network of IPv6 is one attacker as well', async () => {
  await start();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, nth) => attempt('wrong', { ip: `2001:db8:1:2::${nth + 1}` })),
  );
  expect(codesOf(answers)['auth.wrong-credentials']).toBe(10);
});

test('a browser that has signed in before is not kept out by its own network', async () => {
  await start();
  const home = { ip: '203.0.113.7' };
  const { given } = await right(home);
  const cookies = given.map((text) => text.split(';')[0]).join('; ');
  expect(given.find((text) => text.startsWith('device='))).toMatch(/HttpOnly; SameSite=Strict/);
  for (let nth = 0; nth < 15; nth += 1) await attempt('wrong', { ip: '203.0.113.66' });
  expect(await right(home)).toMatchObject({ code: 'auth.too-many-attempts' });
  expect(await right({ ...home, cookies })).toMatchObject({ success: true });
});

test('a name that does not exist is counted and answered like one that does', async () => {
  await start();
  const nobody = { ip: '203.0.113.7' };
  const answers: { code: unknown }[] = [];
  for (let nth = 0; nth < 12; nth += 1) answers.push(await attempt('wrong', nobody, 'ghost'));
  expect(codesOf(answers)).toEqual({
    'auth.wrong-credentials': 10,
    'auth.too-many-attempts': 2,
  });
  expect(failures()).toEqual([]);
});

describe('under attack, with the human check on,', () => {
  type Sent = Readonly<{ password?: string; ip: string; pass?: string; query?: string }>;
  const login = ({ password = 'wrong', ip, pass, query = '' }: Sent) =>
    side.person().call('POST', `/api/user/login${query}`, {
      body: { username: 'root', password },
      headers: { 'x-forwarded-for': ip, ...(pass ? { cookie: pass } : {}) },
    });
  const { password } = rootUser;
  const home = '203.0.113.7';
  const query = '?turnstile=good';

  /** The check on, the owner signed in from home, then guesses from everywhere. */
  const attacked = async () => {
    const root = await start({ humanCheck: async ({ response }) => response === 'good' });
    for (const [key, value] of [
      ['TurnstileSiteKey', 'site'],
      ['TurnstileSecretKey', 'secret'],
      ['TurnstileCheckEnabled', 'true'],
    ]) {
      await root.call('PUT', '/api/option/', { body: { key, value } });
    }
    const { headers } = await login({ password, ip: home, query });
    const given = [headers['set-cookie'] ?? []].flat().map(String);
    const pass = given.find((text) => text.startsWith('human='))?.split(';')[0] ?? '';
    const guesses = Array.from({ length: 40 }, (_, nth) => login({ ...elsewhere(nth), pass }));
    const answers = (await Promise.all(guesses)).map(({ body }) => ({ code: body.code }));
    return { pass, codes: codesOf(answers) };
  };

  test('a new caller proves again to be human', async () => {
    const { pass, codes } = await attacked();
    expect(codes).toEqual({ 'auth.wrong-credentials': 30, 'human.token-missing': 10 });
    const { body } = await login({ password, ip: '198.51.100.7', pass, query });
    expect(body).toMatchObject({ success: true });
  });

  test('the owner meets no additional check where they have signed in before', async () => {
    const { pass } = await attacked();
    expect((await login({ password, ip: home, pass })).body).toMatchObject({ success: true });
  });
});

describe('the audit trail', () => {
  test('records the first wrong password at once, and those that follow in one sum', async () => {
    await start();
    for (let nth = 0; nth < 8; nth += 1) await attempt('wrong', elsewhere(nth));
    await vi.waitFor(() => expect(failures()).toHaveLength(1));
    expect(failures()).toMatchObject([{ userId: 1, method: 'password', count: 1 }]);
    await side.stop();
    expect(failures()).toMatchObject([{ count: 1 }, { userId: 1, count: 7 }]);
    const written = side.eventStore.all.filter(({ event }) => event.type === 'UserLoginFailed');
    expect(written.map(({ streamId }) => streamId)).toEqual(['loginFailures-1', 'loginFailures-1']);
    const readable = written.map(({ event, metadata }) => ({ event, metadata }));
    expect(JSON.stringify(readable)).not.toMatch(/10\.0\.\d\.9/);
  });

  test('records a wrong old password at a change, too', async () => {
    const root = await start();
    const body = { original_password: 'wrong-horse', password: 'another-horse' };
    await root.call('PUT', '/api/user/self', { body });
    await vi.waitFor(() => expect(failures()).toMatchObject([{ method: 'password-change' }]));
  });
});
