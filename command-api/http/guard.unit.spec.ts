import Fastify from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Person, startWriteSide, type WriteSide } from '../../tests/support/write-side.ts';
import { type RouteKey, writeRoutes } from '../contract/routes.ts';

let side: WriteSide;
let root: Person;
beforeEach(async () => {
  side = await startWriteSide();
  root = await side.root();
});
afterEach(() => side.stop());

const password = 'correct-horse';
const member = async (username: string): Promise<Person> => {
  await root.call('POST', '/api/user/', { body: { username, password } });
  const person = side.person();
  await person.signIn(username, password);
  return person;
};
const admin = async (username: string): Promise<Person> => {
  const person = await member(username);
  const body = { id: person.userId, action: 'promote' };
  await root.call('POST', '/api/user/manage', { body });
  await person.signIn(username, password);
  return person;
};

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
const routes = Object.entries(writeRoutes).map(([key, { access }]) => {
  const [method, url] = key.split(' ') as [Method, string];
  return { key: key as RouteKey, method, url: url.replace(':id', '999'), access };
});
/** Routes that would act for long or change who is signed in. */
const quiet = routes.filter(
  ({ key }) => !/logout|test|DELETE \/api\/user\/(self|sessions)/.test(key),
);

test('every route of the table is served, with and without a slash at its end', () => {
  for (const { method, url } of routes) {
    const bare = url.replace(/\/$/, '').replace('999', ':id');
    expect(side.app.hasRoute({ method, url: bare }), `${method} ${bare}`).toBe(true);
    expect(side.app.hasRoute({ method, url: `${bare}/` }), `${method} ${bare}/`).toBe(true);
  }
});

test('who is not signed in gets 401 from every route that is not public', async () => {
  const stranger = side.person();
  for (const { key, method, url, access } of routes) {
    if (access === 'public') continue;
    const answer = await stranger.call(method, url, { body: {} });
    expect(answer.statusCode, key).toBe(401);
    expect(answer.body, key).toMatchObject({ success: false, code: 'auth.not-signed-in' });
  }
});

test('a user is refused by every route of admins, and by no other', async () => {
  const user = await member('ada');
  for (const { key, method, url, access } of quiet) {
    const { body } = await user.call(method, url, { body: {} });
    expect(body.code === 'auth.not-allowed', key).toBe(access === 'admin' || access === 'root');
  }
});

test('an admin is refused by routes of the super admin alone', async () => {
  const boss = await admin('bob');
  for (const { key, method, url, access } of quiet) {
    const { body } = await boss.call(method, url, { body: {} });
    expect(body.code === 'auth.not-allowed', key).toBe(access === 'root');
  }
});

test('the user-id header must be there, be a number, and name who is signed in', async () => {
  const call = (header: Record<string, string>) =>
    side.app.inject({
      method: 'GET',
      url: '/api/user/token',
      headers: { cookie: root.cookie, ...header },
    });
  expect((await call({})).json()).toMatchObject({ code: 'auth.user-header-missing' });
  const malformed = await call({ 'New-Api-User': 'x' });
  expect(malformed.json()).toMatchObject({ code: 'auth.user-header-malformed' });
  const mismatch = await call({ 'NEW-API-USER': '77' });
  expect(mismatch.json()).toMatchObject({ code: 'auth.user-header-mismatch' });
  expect([malformed.statusCode, mismatch.statusCode]).toEqual([401, 401]);
  expect((await call({ 'new-api-user': String(root.userId) })).statusCode).toBe(200);
});

test('an access token authenticates its owner, with the user-id header', async () => {
  const { body } = await root.call('GET', '/api/user/token');
  const headers = { authorization: `Bearer ${String(body.data)}` };
  const client = side.person();
  client.userId = root.userId;
  const channel = { name: 'x', key: 'k', models: 'm' };
  const made = await client.call('POST', '/api/channel/', { body: channel, headers });
  expect(made.body).toMatchObject({ success: true });
  client.userId = 77;
  expect((await client.call('POST', '/api/channel/', { headers })).statusCode).toBe(401);
});

test('a replaced or made-up access token is refused with 200', async () => {
  const first = await root.call('GET', '/api/user/token');
  await root.call('GET', '/api/user/token');
  const client = side.person();
  client.userId = root.userId;
  for (const token of [String(first.body.data), 'made-up']) {
    const answer = await client.call('PUT', '/api/user/self', {
      headers: { authorization: token },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toMatchObject({ success: false, code: 'auth.invalid-access-token' });
  }
});

test('a ban ends the session and the access token at once', async () => {
  const user = await member('ada');
  const token = String((await user.call('GET', '/api/user/token')).body.data);
  const body = { id: user.userId, action: 'disable' };
  await root.call('POST', '/api/user/manage', { body });
  const reported = await user.call('PUT', '/api/user/self', { body: {} });
  expect(reported.statusCode).toBe(200);
  expect(reported.body).toMatchObject({ success: false, code: 'auth.banned' });
  const client = side.person();
  client.userId = user.userId;
  const headers = { authorization: token };
  const refused = await client.call('PUT', '/api/user/self', { headers });
  expect(refused.body).toMatchObject({ success: false, code: 'auth.banned' });
  await root.call('POST', '/api/user/manage', { body: { ...body, action: 'enable' } });
  expect((await user.call('PUT', '/api/user/self', { body: {} })).statusCode).toBe(401);
});

test('a forged cookie authenticates no user', async () => {
  const forger = side.person();
  forger.userId = root.userId;
  forger.cookie = `${root.cookie.slice(0, -4)}AAAA`;
  expect((await forger.call('GET', '/api/user/token')).statusCode).toBe(401);
});

test('guessing at secrets is slowed down for each address; honest sign-ins are not', async () => {
  const strict = await startWriteSide({ attempts: 4 });
  const honest = await strict.root();
  for (let nth = 0; nth < 8; nth += 1) {
    expect((await honest.signIn('root', password)).statusCode).toBe(200);
  }
  const guesser = strict.person();
  const codes: unknown[] = [];
  for (let nth = 0; nth < 5; nth += 1) {
    codes.push((await guesser.signIn(`nobody${nth}`, 'wrong-password')).statusCode);
  }
  expect(codes).toEqual([200, 200, 200, 429, 429]);
  await strict.stop();
});

test('every answer has a request id, and headers that keep browsers careful', async () => {
  const { headers } = await root.call('GET', '/api/user/logout');
  expect(headers['x-request-id']).toMatch(/^\d{17}[0-9A-Za-z]{8}$/);
  expect(headers['x-oneapi-request-id']).toBe(headers['x-request-id']);
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
});

test('a body that is not JSON, or too large, is refused in words of ours', async () => {
  const send = (payload: string) =>
    side.app.inject({
      method: 'PUT',
      url: '/api/option/',
      headers: {
        cookie: root.cookie,
        'new-api-user': '1',
        'content-type': 'application/json',
        'accept-language': 'en',
      },
      payload,
    });
  const broken = await send('{"key":');
  expect(broken.json()).toEqual({
    success: false,
    code: 'request.malformed',
    message: 'The request body is not valid JSON',
  });
  const large = await send(JSON.stringify({ key: 'Notice', value: 'x'.repeat(2_000_000) }));
  expect(large.statusCode).toBe(413);
});

test('a fault is answered with a fixed text and the request id, never with its cause', async () => {
  side.eventStore.beforeAppend = async () => {
    throw new Error('secret detail of the store');
  };
  const answer = await root.call('PUT', '/api/option/', { body: { key: 'Notice', value: 'x' } });
  expect(answer.statusCode).toBe(500);
  expect(answer.body).toMatchObject({ success: false, code: 'system.fault' });
  expect(answer.body.request_id).toBe(answer.headers['x-request-id']);
  expect(JSON.stringify(answer.body)).not.toContain('secret detail');
  side.eventStore.beforeAppend = null;
});

test('an app that forgives slashes by itself is served as well', async () => {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  const other = await startWriteSide({ app });
  const boss = await other.root();
  for (const url of ['/api/option', '/api/option/']) {
    const { body } = await boss.call('PUT', url, { body: { key: 'Notice', value: url } });
    expect(body).toMatchObject({ success: true });
  }
  await other.stop();
});
