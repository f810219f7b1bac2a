import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { UserLoggedIn } from '../../domain/user/events.ts';
import {
  type Person,
  rootUser,
  startWriteSide,
  type WriteSide,
} from '../../tests/support/write-side.ts';

let side: WriteSide;
let root: Person;
beforeEach(async () => {
  side = await startWriteSide();
  root = await side.root();
});
afterEach(() => side.stop());

const password = 'correct-horse';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';

const signedIn = async (username = 'root'): Promise<Person> => {
  const person = side.person();
  await person.signIn(username, password);
  return person;
};
const member = async (username: string): Promise<Person> => {
  await root.call('POST', '/api/user/', { body: { username, password } });
  return signedIn(username);
};
/** A copy of the cookie, kept by another person. */
const copyOf = (person: Person): Person => {
  const copy = side.person();
  copy.userId = person.userId;
  copy.cookie = person.cookie;
  return copy;
};
const isSignedIn = async (person: Person): Promise<boolean> =>
  (await person.call('PUT', '/api/user/self', { body: {} })).statusCode === 200;
const sessionIds = () =>
  side.events<UserLoggedIn['data']>('UserLoggedIn').map(({ session }) => session?.sessionId ?? '');

test('after logging out, a copy of the cookie is worth nothing', async () => {
  const other = await signedIn();
  const copy = copyOf(root);
  const { headers } = await root.call('GET', '/api/user/logout');
  expect(String(headers['set-cookie'])).toMatch(/^session=; Max-Age=0;/);
  const refused = await copy.call('PUT', '/api/user/self', { body: { display_name: 'x' } });
  expect(refused.statusCode).toBe(401);
  expect(await isSignedIn(other)).toBe(true);
  expect(side.events('SessionEnded')).toMatchObject([{ reason: 'logged-out' }]);
  expect((await copy.call('GET', '/api/user/logout')).body).toMatchObject({ success: true });
  expect(side.events('SessionEnded')).toHaveLength(1);
});

test('signing in again in the same browser ends the session that it had', async () => {
  const copy = copyOf(root);
  await root.signIn(rootUser.username, rootUser.password);
  expect(await isSignedIn(copy)).toBe(false);
  expect(await isSignedIn(root)).toBe(true);
  expect(side.events('SessionEnded')).toMatchObject([{ reason: 'replaced' }]);
});

test('a sign-in that is repeated under its key gets the session of the first time', async () => {
  const ada = await member('ada');
  const sent = {
    body: { username: 'ada', password },
    headers: { 'idempotency-key': 'once' },
  };
  const browser = side.person();
  browser.userId = ada.userId;
  for (const _ of [1, 2]) await browser.call('POST', '/api/user/login', sent);
  expect(side.events('UserLoggedIn')).toHaveLength(3);
  expect(await isSignedIn(browser)).toBe(true);
});

describe('a session from the list', () => {
  test('is ended by its owner, and the others continue', async () => {
    const other = await signedIn();
    const [, id = ''] = sessionIds();
    const { body } = await root.call('DELETE', `/api/user/sessions/${id}`);
    expect(body).toMatchObject({ success: true });
    expect(await isSignedIn(other)).toBe(false);
    expect(await isSignedIn(root)).toBe(true);
  });

  test('that belongs to another person is unknown', async () => {
    const ada = await member('ada');
    const [id = ''] = sessionIds();
    const { body } = await ada.call('DELETE', `/api/user/sessions/${id}`);
    expect(body).toMatchObject({ success: false, code: 'user.session-unknown' });
    expect(await isSignedIn(root)).toBe(true);
  });

  test('that requests it drops its cookie', async () => {
    const [id = ''] = sessionIds();
    const { headers } = await root.call('DELETE', `/api/user/sessions/${id}`);
    expect(String(headers['set-cookie'])).toMatch(/^session=; Max-Age=0;/);
    expect(await isSignedIn(root)).toBe(false);
  });
});

describe('logging out everywhere', () => {
  test('ends every session', async () => {
    const other = await signedIn();
    await root.call('DELETE', '/api/user/sessions');
    expect([await isSignedIn(root), await isSignedIn(other)]).toEqual([false, false]);
  });

  test('may keep the requesting one, but no copy of its cookie', async () => {
    const other = await signedIn();
    const copy = copyOf(root);
    await root.call('DELETE', '/api/user/sessions?keep_current=true');
    const all = [await isSignedIn(root), await isSignedIn(other), await isSignedIn(copy)];
    expect(all).toEqual([true, false, false]);
  });

  test('is done for a user by an admin, and for no user above them', async () => {
    const ada = await member('ada');
    const bob = await member('bob');
    await root.call('POST', '/api/user/manage', { body: { id: bob.userId, action: 'promote' } });
    await bob.signIn('bob', password);
    const act = (id: number) =>
      bob.call('POST', '/api/user/manage', { body: { id, action: 'end_sessions' } });
    expect((await act(ada.userId)).body).toMatchObject({
      success: true,
      data: { role: 1, status: 1 },
    });
    expect(await isSignedIn(ada)).toBe(false);
    expect((await act(root.userId)).body).toMatchObject({ code: 'user.above-you' });
    expect(await isSignedIn(root)).toBe(true);
  });
});

test('a new password keeps the session that changed it, and no copy of its cookie', async () => {
  const other = await signedIn();
  const copy = copyOf(root);
  const body = { original_password: password, password: 'another-horse' };
  await root.call('PUT', '/api/user/self', { body });
  const all = [await isSignedIn(root), await isSignedIn(other), await isSignedIn(copy)];
  expect(all).toEqual([true, false, false]);
});

test('device and address of a session are recorded, and readable nowhere', async () => {
  const person = side.person();
  await person.call('POST', '/api/user/login', {
    body: rootUser,
    headers: { 'user-agent': firefox },
  });
  const text = JSON.stringify(side.events('UserLoggedIn'));
  expect(text).not.toMatch(/Firefox|Linux|127\.0\.0\.1/);
  expect(sessionIds().every((id) => /^[\w-]{22}$/.test(id))).toBe(true);
  expect(new Set(sessionIds()).size).toBe(2);
});

describe('a cookie', () => {
  const cookieOf = async (headers: Record<string, string> = {}) => {
    const answer = await side.person().call('POST', '/api/user/login', { body: rootUser, headers });
    return [answer.headers['set-cookie'] ?? []].flat().map(String);
  };

  test('is sent over TLS alone once the address of the site is https', async () => {
    for (const cookie of await cookieOf()) expect(cookie).not.toContain('Secure');
    const body = { key: 'ServerAddress', value: 'https://gate.example' };
    await root.call('PUT', '/api/option/', { body });
    for (const cookie of await cookieOf()) expect(cookie).toMatch(/; Secure$/);
    const { headers } = await root.call('GET', '/api/user/logout');
    expect(String(headers['set-cookie'])).toMatch(/; Secure$/);
  });

  test('is sent over TLS alone where the proxy reports that the client used TLS', async () => {
    const cookies = await cookieOf({ 'x-forwarded-proto': 'https' });
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) expect(cookie).toMatch(/; Secure$/);
  });
});
