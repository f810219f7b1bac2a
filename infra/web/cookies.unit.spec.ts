import { expect, test } from 'vitest';
import { decodedCookie, setCookieText } from './cookies.ts';
import { endedSessionCookie, sessionCookie } from './session-cookie.ts';

const session = { id: 'AAAAAAAAAAAAAAAAAAAAAA', userId: 1, epoch: 0, issuedAt: 1_800_000_000_000 };

test('a cookie is out of reach of scripts and other sites, and of plain connections behind TLS', () => {
  expect(setCookieText('a', 'b c', { maxAgeSeconds: 60, isSecure: true })).toBe(
    'a=b%20c; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; Secure',
  );
  expect(setCookieText('a', 'b', { maxAgeSeconds: 60, path: '/api', isSecure: false })).toBe(
    'a=b; Max-Age=60; Path=/api; HttpOnly; SameSite=Strict',
  );
});

test('a session cookie lasts as long as its session, however late it is given', () => {
  const given = { text: 'x.y.z', session, isSecure: false };
  expect(sessionCookie(given, session.issuedAt)).toContain('session=x.y.z; Max-Age=2592000;');
  const aDayLater = session.issuedAt + 86_400_000;
  expect(sessionCookie(given, aDayLater)).toContain('Max-Age=2505600;');
  expect(endedSessionCookie(true)).toBe(
    'session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure',
  );
});

test('a cookie that is not percent-encoded text is none', () => {
  expect(decodedCookie('session=%', 'session')).toBeNull();
  expect(decodedCookie('theme=dark; session=a%20b', 'session')).toBe('a b');
});
