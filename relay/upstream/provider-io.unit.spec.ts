import { expect, test } from 'vitest';
import { isClosedHost, isPublicAddress } from '../../infra/web/public-address.ts';
import { json, startUpstream } from '../../tests/support/relay/relay-harness.ts';
import { createProviderIo } from './provider-io.ts';

const helper = { method: 'GET', headers: {}, body: null } as const;

test('addresses that are not on the open internet are recognised', () => {
  const closed = [
    ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1'],
    ...['0.0.0.0', '224.0.0.1', '255.255.255.255', '::1', '::', '::ffff:10.0.0.1', 'fe80::1'],
    ...['fd00::1', '64:ff9b::a00:1', '2002:a00:1::', 'ff02::1', 'not an address'],
  ];
  expect(closed.filter(isPublicAddress)).toEqual([]);
  const open = ['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111'];
  expect(open.filter((address) => !isPublicAddress(address))).toEqual([]);
  expect(['[::1]', '127.0.0.1', 'example.com'].map((host) => isClosedHost(host))).toEqual([
    true,
    true,
    false,
  ]);
});

test('a name or number that leads inside is refused to callers and open to channels', async () => {
  const upstream = await startUpstream(json({ fine: true }));
  const io = createProviderIo(() => new Date())('');
  const port = new URL(upstream.url).port;
  for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1']) {
    const url = `http://${host}:${port}/`;
    await expect(io.fetch({ ...helper, url, publicOnly: true })).rejects.toThrow();
  }
  await expect(
    io.fetch({ ...helper, url: 'file:///etc/passwd', publicOnly: true }),
  ).rejects.toThrow();
  expect(upstream.requests).toEqual([]);
  const reply = await io.fetch({ ...helper, url: upstream.url });
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json']);
  await expect(io.fetch({ ...helper, url: upstream.url, maxBytes: 3 })).rejects.toThrow('too long');
  upstream.close();
});

test('a value is made once and kept until shortly before it runs out', async () => {
  let nowMs = 0;
  let made = 0;
  const io = createProviderIo(() => new Date(nowMs))('');
  const make = async () => {
    made += 1;
    return { value: `v${made}`, ttlSeconds: 100 };
  };
  expect(await Promise.all([io.cached('k', make), io.cached('k', make)])).toEqual(['v1', 'v1']);
  nowMs = 39_000;
  expect(await io.cached('k', make)).toBe('v1');
  nowMs = 41_000;
  expect(await io.cached('k', make)).toBe('v2');
  io.forget?.('k');
  expect(await io.cached('k', make)).toBe('v3');
  await expect(io.cached('broken', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await io.cached('broken', make)).toBe('v4');
});

test('of values without number so many are kept, and the oldest is made again', async () => {
  const io = createProviderIo(() => new Date(0))('');
  const made: string[] = [];
  const keep = (key: string) =>
    io.cached(key, async () => {
      made.push(key);
      return { value: key, ttlSeconds: 3_600 };
    });
  const keys = Array.from({ length: 20_000 }, (_none, n) => `k${n}`);
  await Promise.all(keys.map(keep));
  made.length = 0;
  for (const key of keys.toReversed()) await keep(key);
  expect(made.length).toBeGreaterThanOrEqual(10_000);
});

test('a value that is dropped while it is made is not restored', async () => {
  const io = createProviderIo(() => new Date(0))('');
  const make = (value: string) => () => Promise.resolve({ value, ttlSeconds: 3_600 });
  const first = io.cached('k', make('old'));
  io.forget?.('k');
  expect(await first).toBe('old');
  expect(await io.cached('k', make('new'))).toBe('new');
});

test('a silent server is awaited no longer than configured', async () => {
  const upstream = await startUpstream(() => {});
  const io = createProviderIo(() => new Date())('');
  await expect(io.fetch({ ...helper, url: upstream.url, timeoutMs: 50 })).rejects.toThrow();
  upstream.close();
});
