import { expect, test } from 'vitest';
import { isForgedByAnotherSite, isFromAnotherSite } from './cross-site.ts';

const host = 'gate.example';

test.each([
  ['no browser', {}, false],
  [
    'a page of the site',
    { 'sec-fetch-site': 'same-origin', origin: 'https://gate.example' },
    false,
  ],
  ['an address typed by hand', { 'sec-fetch-site': 'none' }, false],
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, true],
  ['a sibling of the site', { 'sec-fetch-site': 'same-site' }, true],
  ['another site, without an origin', { 'sec-fetch-site': 'cross-site' }, true],
  ['a page of the site, over plain HTTP', { origin: 'http://gate.example' }, false],
  ['the same, with the usual port', { origin: 'http://gate.example:80' }, false],
  ['another port', { origin: 'http://gate.example:8080' }, true],
  ['another site, over plain HTTP', { origin: 'http://evil.example' }, true],
  ['a page without an origin of its own', { origin: 'null' }, true],
])('%s: %j', (_, headers, expected) => {
  expect(isFromAnotherSite({ host, ...headers })).toBe(expected);
});

test('a proxy that rewrites the host does not make the site another one', () => {
  const headers = { host: '10.0.0.5:3000', origin: 'http://gate.example' };
  expect(isFromAnotherSite(headers)).toBe(true);
  expect(isFromAnotherSite({ ...headers, 'x-forwarded-host': 'gate.example' })).toBe(false);
  expect(isFromAnotherSite({ ...headers, 'x-forwarded-host': 'a.example, gate.example' })).toBe(
    false,
  );
});

test('an access token is sufficient proof, unless a cookie is sent with it', () => {
  const headers = { host, 'sec-fetch-site': 'cross-site', authorization: 'Bearer x' };
  expect(isForgedByAnotherSite(headers)).toBe(false);
  expect(isForgedByAnotherSite({ ...headers, cookie: 'session=x' })).toBe(true);
  expect(isForgedByAnotherSite({ host, 'sec-fetch-site': 'cross-site' })).toBe(true);
});
