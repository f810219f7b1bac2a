import { expect, test } from 'vitest';
import { adminRole, ordinaryRole, rootRole } from '../../domain/access/roles.ts';
import { tokenStatus } from '../../domain/access/token-status.ts';
import { roles, tokenStates } from './codes.ts';

test('roles on the wire are those of the rules', () => {
  expect(roles).toEqual({ user: ordinaryRole, admin: adminRole, root: rootRole });
});

test('states of tokens on the wire are those of the rules', () => {
  const token = { isEnabled: true, expiredTime: -1, unlimitedQuota: false, remainQuota: 1 };
  const now = 1_700_000_000;
  expect({
    enabled: tokenStatus(token, now),
    disabled: tokenStatus({ ...token, isEnabled: false }, now),
    expired: tokenStatus({ ...token, expiredTime: now - 1 }, now),
    exhausted: tokenStatus({ ...token, remainQuota: 0 }, now),
  }).toEqual(tokenStates);
});
