import { expect, test } from 'vitest';
import { sessionMaxAgeSeconds, validSession } from './session.ts';

const session = { id: 'AAAAAAAAAAAAAAAAAAAAAA', userId: 1, epoch: 0, issuedAt: 1_800_000_000_000 };

test('a session is valid from its start until its greatest age', () => {
  expect(validSession(session, session.issuedAt)).toEqual(session);
  const end = session.issuedAt + sessionMaxAgeSeconds * 1_000;
  expect(validSession(session, end - 1)).toEqual(session);
  expect(validSession(session, end)).toBeNull();
});

test('a session from the future is valid only within the clock skew that is allowed', () => {
  expect(validSession(session, session.issuedAt - 60_000)).toEqual(session);
  expect(validSession(session, session.issuedAt - 60_001)).toBeNull();
});

test.each([
  null,
  'text',
  [],
  {},
  { ...session, issuedAt: '2026-11-22' },
  { ...session, userId: 1.5 },
  { ...session, id: undefined },
  { ...session, id: 'short' },
])('no other shape is a session: %j', (value) => {
  expect(validSession(value, session.issuedAt)).toBeNull();
});
