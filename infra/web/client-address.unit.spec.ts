import { expect, test } from 'vitest';
import { createClientAddress, createForwardedProtocol, unixSocketPeer } from './client-address.ts';
import { callerOf } from './network.ts';

/** The address that is worked out for a connection from `peer` with an `X-Forwarded-For`. */
const addressBehind =
  (trustedProxies: readonly string[]) =>
  (peer: string, forwarded: string | undefined): string =>
    createClientAddress(trustedProxies)({
      socket: { remoteAddress: peer },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    });

test('without trusted proxies the peer is the client, whatever a header contains', () => {
  const clientIp = addressBehind([]);
  expect(clientIp('203.0.113.9', '198.51.100.1')).toBe('203.0.113.9');
});

test('a trusted proxy names the client', () => {
  const clientIp = addressBehind(['10.0.0.0/8']);
  expect(clientIp('10.1.2.3', '198.51.100.1')).toBe('198.51.100.1');
});

test('what a client wrote itself, left of the trusted hops, is ignored', () => {
  const clientIp = addressBehind(['10.0.0.0/8', '127.0.0.1']);
  expect(clientIp('127.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.7')).toBe('198.51.100.1');
});

test('a mapped IPv4 peer is the same as its IPv4 address', () => {
  const clientIp = addressBehind(['127.0.0.1']);
  expect(clientIp('::ffff:127.0.0.1', '198.51.100.1')).toBe('198.51.100.1');
  expect(clientIp('::ffff:203.0.113.9', undefined)).toBe('203.0.113.9');
});

test('a header that is no address leaves the last trusted hop', () => {
  const clientIp = addressBehind(['127.0.0.1', '::1']);
  expect(clientIp('127.0.0.1', 'nonsense')).toBe('127.0.0.1');
  expect(clientIp('::1', '2001:db8::5')).toBe('2001:db8::5');
});

test('the peer of a unix socket is trusted only where the list contains it', () => {
  const overSocket = (trusted: readonly string[]): string =>
    createClientAddress(trusted)({
      socket: {},
      headers: { 'x-forwarded-for': '1.1.1.1, 198.51.100.1' },
    });
  expect(overSocket([unixSocketPeer])).toBe('198.51.100.1');
  expect(overSocket(['127.0.0.1'])).toBe('');
});

test('the protocol that a header names counts from a trusted proxy alone', () => {
  const protocolFor = (peer: string, reported: string): string =>
    createForwardedProtocol(['10.0.0.0/8'])({
      socket: { remoteAddress: peer },
      headers: { 'x-forwarded-proto': reported },
    });
  expect(protocolFor('10.1.2.3', 'https')).toBe('https');
  expect(protocolFor('203.0.113.9', 'https')).toBe('http');
  expect(protocolFor('10.1.2.3', 'https, http')).toBe('http');
  expect(protocolFor('10.1.2.3', 'gopher')).toBe('http');
});

test('addresses of one IPv6 network count as one client', () => {
  expect(callerOf('2001:db8:1:2::1')).toBe(callerOf('2001:db8:1:2:ffff::9'));
  expect(callerOf('2001:db8:1:2::1')).not.toBe(callerOf('2001:db8:1:3::1'));
  expect(callerOf('::ffff:203.0.113.9')).toBe('203.0.113.9');
  expect(callerOf('')).toBe('');
});
