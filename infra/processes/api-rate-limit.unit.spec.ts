import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { limitApiCalls } from './api-rate-limit.ts';

const start = (limit: number) => {
  let nowMs = 1_000_000;
  const app = Fastify();
  limitApiCalls(app, { limit, trustedProxies: ['127.0.0.1'], clock: () => new Date(nowMs) });
  for (const path of [
    '/api/status',
    '/',
    '/dashboard/billing/usage',
    '/apiary',
    '/api/user/epay/notify',
  ]) {
    app.get(path, async () => ({ ok: true }));
  }
  return {
    wait: (seconds: number) => {
      nowMs += seconds * 1_000;
    },
    get: (url: string, ip = '203.0.113.7') =>
      app.inject({ url, headers: { 'x-forwarded-for': ip, 'accept-language': 'en' } }),
    status: async (url: string, ip?: string) =>
      (await app.inject({ url, headers: { 'x-forwarded-for': ip ?? '203.0.113.7' } })).statusCode,
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
  expect(await status('/api/status', '203.0.113.8')).toBe(200);
  expect(await status('/')).toBe(200);
  expect(await status('/apiary')).toBe(200);
});

test('what providers of payments tell is not counted', async () => {
  const { status } = start(1);
  for (let nth = 0; nth < 5; nth += 1) {
    expect(await status('/api/user/epay/notify?sign=x')).toBe(200);
  }
  expect(await status('/api/status')).toBe(200);
  expect(await status('/api/status')).toBe(429);
});

test('a limit of 0 counts nothing', async () => {
  const { status } = start(0);
  for (let nth = 0; nth < 5; nth += 1) expect(await status('/api/status')).toBe(200);
});
