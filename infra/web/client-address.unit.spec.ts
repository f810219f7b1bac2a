import { expect, test } from 'vitest';
import { createClientAddress } from './client-address.ts';

/** The address that is worked out for a connection from `peer` with an `X-Forwarded-For`. */
const addressBehind =
  (trustedProxies: readonly string[]) =>
  (peer: string, forwarded: string | undefined): string =>
    createClientAddress(trustedProxies)({
      socket: { remoteAddress: peer },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    });

test('without trusted proxies the peer is the client, whatever a header says', () => {
  const clientIp = addressBehind([]);
  expect(clientIp('203.0.113.9', '198.51.100.1')).toBe('203.0.113.9');
});

test('a trusted proxy names the client', () => {
  const clientIp = addressBehind(['10.0.0.0/8']);
  expect(clientIp('10.1.2.3', '198.51.100.1')).toBe('198.51.100.1');
});

test('what a client wrote itself, left of the trusted hops, is not believed', () => {
  const clientIp = addressBehind(['10.0.0.0/8', '127.0.0.1']);
  expect(clientIp('127.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.7')).toBe('198.51.100.1');
});

test('a mapped IPv4 peer is the same as its IPv4 address', () => {
  const clientIp = addressBehind(['127.0.0.1']);
  expect(clientIp('::ffff:127.0.0.1', '198.51.100.1')).toBe('198.51.100.1');
  expect(clientIp('::ffff:203.0.113.9', undefined)).toBe('203.0.113.9');
});

test('a header that is no address leaves the last known hop', () => {
  const clientIp = addressBehind(['127.0.0.1', '::1']);
  expect(clientIp('127.0.0.1', 'nonsense')).toBe('127.0.0.1');
  expect(clientIp('::1', '2001:db8::5')).toBe('2001:db8::5');
});
