import { expect, test } from 'vitest';
import { adjustedFromVersion1 } from './upcast.ts';

test.each([
  ['', 'set-by-admin', null],
  ['admin 1 set the quota of user 42', 'set-by-admin', null],
  ['an apology for the outage', 'other', 'an apology for the outage'],
  [
    'admin 1 set the quota of user 42, as agreed',
    'other',
    'admin 1 set the quota of user 42, as agreed',
  ],
])('the reason %j of version 1 becomes %s with the note %j', (reason, kind, note) => {
  const stored = { userId: 42, delta: 1, seen: null, reason, balanceAfter: 1 };
  expect(adjustedFromVersion1(stored)).toEqual({ ...stored, reason: { kind, note } });
  expect(stored.reason).toBe(reason);
});
