import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createClientAddress } from '../web/client-address.ts';
import { limitApiCalls } from './api-rate-limit.ts';
import { createSignedInUser } from './signed-in-user.ts';

/** The access token of user 9, and its SHA-256. */
const owned = {
  token: 'a-token',
  hash: '1f6076e3a47ba1ded08025ffe06e57af217c14f9407f33fba50f99b1c7019387',
} as const;

/** Sessions are `user-<id>`. */
const start = (limit: number, userLimit = 1_000) => {
  let nowMs = 1_700_000_000_000;
  let lookUps = 0;
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  const openSession = (text: string) => {
    const [, id] = /^user-(\d+)$/.exec(text) ?? [];
    return id === undefined
      ? null
      : { id: 'AAAAAAAAAAAAAAAAAAAAAA', userId: Number(id), epoch: 0, issuedAt: nowMs };
  };
  const tokenOwner = async (hash: string) => {
    lookUps += 1;
    return hash === owned.hash ? 9 : null;
  };
  limitApiCalls(app, {
    limit,
    userLimit,
    clientAddress: createClientAddress(['127.0.0.1']),
    signedInUser: createSignedInUser({ openSession, tokenOwner }),
    clock: () => new Date(nowMs),
  });
  for (const path of [
    '/api/status',
    '/api/user/:id',
    '/',
    '/dashboard/billing/usage',
    '/apiary',
    '/api/user/epay/notify',
  ]) {
    app.get(path, async () => ({ ok: true }));
  }
  type By = Readonly<{ ip?: string; cookie?: string; token?: string }>;
  const get = (url: string, { ip = '203.0.113.7', cookie, token }: By = {}) =>
    app.inject({
      url,
      headers: {
        'x-forwarded-for': ip,
        'accept-language': 'en',
        ...(cookie === undefined ? {} : { cookie: `session=${cookie}` }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
    });
  return {
    wait: (seconds: number) => {
      nowMs += seconds * 1_000;
    },
    get,
    status: async (url: string, by?: By) => (await get(url, by)).statusCode,
    lookUps: () => lookUps,
  };
};

test('an address has so many calls in 180 seconds, and a place is free again after that', async () => {
  const { get, status, wait } = start(3);
  expect(await status('/api/status')).toBe(200);
  wait(100);
  expect(await status('/api/status?x=1')).toBe(200);
  expect(await status('/dashboard/billing/usage')).toBe(200);
  const refused = await get('/api/status');
  expect(refused.statusCode).toBe(429);
  expect(refused.headers['retry-after']).toBe('80');
  expect(refused.json()).toMatchObject({ success: false, code: 'request.too-many' });
  wait(80);
  expect(await status('/api/status')).toBe(200);
  expect(await status('/api/status')).toBe(429);
});

test('other addresses and pages are not counted against it', async () => {
  const { status } = start(1);
  expect(await status('/api/status')).toBe(200);
  expect(await status('/api/status')).toBe(429);
  expect(await status('/api/status', { ip: '203.0.113.8' })).toBe(200);
  expect(await status('/')).toBe(200);
  expect(await status('/apiary')).toBe(200);
});

test('addresses of one IPv6 network are one caller', async () => {
  const { status } = start(1);
  expect(await status('/api/status', { ip: '2001:db8:1:2::1' })).toBe(200);
  expect(await status('/api/status', { ip: '2001:db8:1:2:3::9' })).toBe(429);
  expect(await status('/api/status', { ip: '2001:db8:1:3::1' })).toBe(200);
});

test.each([
  '/%61pi/status',
  '/ap%69/status',
  '/api/%73tatus',
  '/api/status/',
  '/api/status?a=/x',
  '/api/status;x',
  '/%61pi/no-such-thing',
])('a call is counted however its address is written: %s', async (url) => {
  const { status } = start(1);
  expect(await status('/api/status')).toBe(200);
  expect(await status(url)).toBe(429);
});

test('notices of payment providers are not counted, and nothing that resembles them', async () => {
  const { status } = start(1);
  for (let nth = 0; nth < 5; nth += 1) {
    expect(await status('/api/user/epay/notify?sign=x')).toBe(200);
    expect(await status('/api/user/epay/notify/')).toBe(200);
  }
  expect(await status('/api/user/epay%2Fnotify')).toBe(200);
  expect(await status('/api/user/epay%2Fnotify')).toBe(429);
});

test('who is signed in is counted by the user, from whatever address', async () => {
  const { status } = start(2, 3);
  for (const ip of ['203.0.113.7', '203.0.113.8', '203.0.113.9']) {
    expect(await status('/api/status', { ip, cookie: 'user-5' })).toBe(200);
  }
  expect(await status('/api/status', { cookie: 'user-5' })).toBe(429);
  expect(await status('/api/status', { cookie: 'user-6' })).toBe(200);
  // The address itself has used nothing yet.
  expect(await status('/api/status')).toBe(200);
  expect(await status('/api/status', { cookie: 'forged' })).toBe(200);
  expect(await status('/api/status', { cookie: 'forged' })).toBe(429);
});

test('an access token counts for its user; made-up ones are counted by address and looked up no more than that', async () => {
  const { status, lookUps } = start(2, 3);
  for (let nth = 0; nth < 3; nth += 1) {
    expect(await status('/api/status', { token: owned.token, ip: '203.0.113.8' })).toBe(200);
  }
  expect(lookUps()).toBe(1);
  expect(await status('/api/status', { token: owned.token, ip: '203.0.113.8' })).toBe(429);
  expect(await status('/api/status', { token: 'made-up-1' })).toBe(200);
  expect(await status('/api/status', { token: 'made-up-2' })).toBe(200);
  expect(await status('/api/status', { token: 'made-up-3' })).toBe(429);
  expect(lookUps()).toBe(3);
});

test('a limit of 0 counts nothing', async () => {
  const { status } = start(0, 0);
  for (let nth = 0; nth < 5; nth += 1) expect(await status('/api/status')).toBe(200);
  for (let nth = 0; nth < 5; nth += 1) {
    expect(await status('/api/status', { cookie: 'user-5' })).toBe(200);
  }
});
