import { expect, test } from 'vitest';
import type { UpstreamRequest } from '../types.ts';
import { RequestHeads } from './request-head.ts';

const request = (changes: Partial<UpstreamRequest>): UpstreamRequest => ({
  origin: 'https://provider.example',
  path: '/v1/chat?x=1',
  headers: ['content-type', 'application/json'],
  body: Buffer.from('{}'),
  proxy: '',
  upstreamModel: 'm',
  addedUsage: false,
  ...changes,
});
const heads = new RequestHeads('provider.example');
const headOf = (changes: Partial<UpstreamRequest>): string =>
  heads.write(request(changes), 0).toString('latin1');

test('a request states its target, its length, and that the connection stays', () => {
  expect(headOf({})).toBe(
    'POST /v1/chat?x=1 HTTP/1.1\r\nhost: provider.example\r\nconnection: keep-alive\r\n' +
      'accept-encoding: identity\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n',
  );
});

test('a request without a body states it where one is expected, and only there', () => {
  const body = Buffer.alloc(0);
  expect(headOf({ body })).toContain('content-length: 0\r\n');
  expect(headOf({ body, method: 'GET' })).not.toContain('content-length');
});

test('a host that was set goes first and once, and a length that was set does not go at all', () => {
  const head = headOf({ headers: ['Host', 'other.example', 'Content-Length', '99', 'a', 'b'] });
  expect(head).toContain('host: other.example\r\nconnection');
  expect(head.match(/host:/gi)).toHaveLength(1);
  expect(head.match(/content-length: \d+/gi)).toEqual(['content-length: 2']);
});

test.each([
  ['a line end in a value', { headers: ['x', 'a\r\nb: c'] }],
  ['a zero byte in a value', { headers: ['x', 'a\u0000'] }],
  ['letters that one byte cannot hold', { headers: ['x', 'ключ'] }],
  ['a name with a space', { headers: ['x y', 'a'] }],
  ['an empty name', { headers: ['', 'a'] }],
  ['a header of the connection', { headers: ['Transfer-Encoding', 'chunked'] }],
  ['a space in the path', { path: '/v1/a b' }],
  ['a line end in the path', { path: '/v1\r\nx: y' }],
])('%s cannot be sent', (_name, changes) => {
  expect(() => headOf(changes)).toThrow(/cannot be sent/);
});

test('requests that differ in anything differ on the wire, however often they are sent', () => {
  const requests: Partial<UpstreamRequest>[] = [];
  for (let nth = 0; nth < 12; nth += 1) {
    requests.push({ headers: ['authorization', `Bearer ${nth}`] }, { path: `/v${nth}` });
  }
  requests.push({ method: 'PUT' }, { headers: [] }, { headers: ['content-type', 'text/plain'] });
  const fresh = (differing: Partial<UpstreamRequest>) =>
    new RequestHeads('provider.example').write(request(differing), 0).toString('latin1');
  const due = requests.map(fresh);
  expect(new Set(due).size).toBe(requests.length);
  for (const _ of [1, 2]) expect(requests.map(headOf)).toEqual(due);
});

test('a body goes behind its head as long as it is short', () => {
  const body = Buffer.from('0123456789');
  expect(heads.write(request({ body }), 10).toString('latin1').endsWith('\r\n\r\n0123456789')).toBe(
    true,
  );
  expect(heads.write(request({ body }), 9).toString('latin1').endsWith('10\r\n\r\n')).toBe(true);
});
