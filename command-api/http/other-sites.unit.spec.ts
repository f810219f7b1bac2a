import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Person,
  rootUser,
  startWriteSide,
  type WriteSide,
} from '../../tests/support/write-side.ts';
import { type RouteKey, writeRoutes } from '../contract/routes.ts';
import { hasGuard } from './routes.ts';

let side: WriteSide;
let root: Person;
beforeAll(async () => {
  side = await startWriteSide();
  root = await side.root();
});
afterAll(() => side.stop());

const evil = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
const keys = Object.keys(writeRoutes) as RouteKey[];
const urlOf = (key: RouteKey) => (key.split(' ')[1] ?? '').replace(/:\w+/, '999');
const ask = (key: RouteKey, person: Person, headers: Record<string, string>) =>
  person.call(key.split(' ')[0] as 'GET' | 'POST', urlOf(key), { body: {}, headers });

test('every GET of the write side is either listed as one that writes, or only reads', () => {
  const reading = keys.filter((key) => key.startsWith('GET ') && !hasGuard(key, 'no-cross-site'));
  expect(reading).toEqual(['GET /api/user/epay/notify', 'GET /api/jobs']);
});

test('no page of another site acts for a visitor, by any route', async () => {
  const before = side.eventStore.all.length;
  for (const key of keys) {
    if (hasGuard(key, 'signed') || key === 'GET /api/jobs') continue;
    const answer = await ask(key, root, evil);
    expect([key, answer.statusCode, answer.body.code]).toEqual([key, 403, 'request.cross-site']);
  }
  expect(side.eventStore.all.length).toBe(before);
});

test.each([
  ['a sibling of the site', { 'sec-fetch-site': 'same-site' }],
  ['a site of another name, over plain HTTP', { origin: 'http://evil.example' }],
  ['a page in a sandbox', { origin: 'null' }],
])('%s is another site', async (_, headers) => {
  const answer = await root.call('PUT', '/api/user/self', { body: {}, headers });
  expect(answer.statusCode).toBe(403);
});

test.each([
  ['the console', { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:80' }],
  ['the console, over plain HTTP', { origin: 'http://localhost:80' }],
  ['a program', {}],
])('%s is served', async (_, headers) => {
  const answer = await root.call('PUT', '/api/user/self', { body: {}, headers });
  expect(answer.body).toMatchObject({ success: true });
});

test('a page of another site with an access token is served, without any cookie', async () => {
  const token = String((await root.call('GET', '/api/user/token')).body.data);
  const client = side.person();
  client.userId = root.userId;
  const headers = { ...evil, authorization: token };
  const answer = await client.call('PUT', '/api/user/self', { body: {}, headers });
  expect(answer.body).toMatchObject({ success: true });
  client.cookie = root.cookie;
  const withCookie = await client.call('PUT', '/api/user/self', { body: {}, headers });
  expect(withCookie.statusCode).toBe(403);
});

test('providers of logins lead a browser back', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  for (const provider of ['github', 'oidc', 'linuxdo']) {
    const visitor = side.person();
    const answer = await visitor.call('GET', `/api/oauth/${provider}?code=x&state=y`, { headers });
    expect(answer.body).toMatchObject({ code: 'login.state-invalid' });
  }
});

describe('a form of another site', () => {
  const login = (type: string, headers: Record<string, string> = {}) =>
    side.app.inject({
      method: 'POST',
      url: '/api/user/login',
      headers: { 'content-type': type, ...headers },
      payload: JSON.stringify(rootUser),
    });

  test.each(['text/plain', 'text/plain; charset=utf-8', 'multipart/form-data', 'TEXT/PLAIN'])(
    'signs no visitor in by %s',
    async (type) => {
      const answer = await login(type);
      expect([answer.statusCode, answer.json().code]).toEqual([415, 'request.not-json']);
      expect(answer.headers['set-cookie']).toBeUndefined();
    },
  );

  test('signs no visitor in, whatever type it names', async () => {
    for (const type of ['text/plain', 'application/json']) {
      const answer = await login(type, evil);
      expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([403, undefined]);
    }
  });

  test('is not confused with a program that is careless with its type', async () => {
    expect((await login('application/json')).json()).toMatchObject({ success: true });
    expect((await login('application/octet-stream')).json()).toMatchObject({ success: true });
  });
});
