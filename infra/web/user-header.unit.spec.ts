import { expect, test } from 'vitest';
import { userHeaderRefusal } from './user-header.ts';

test.each([
  ['the id of the user', '7', null],
  ['the id between blanks', ' 7 ', null],
  ['none', undefined, 'auth.user-header-missing'],
  ['nothing', '', 'auth.user-header-malformed'],
  ['a name', 'ada', 'auth.user-header-malformed'],
  ['the id twice', ['7', '7'], 'auth.user-header-malformed'],
  ['a fraction', '7.0', 'auth.user-header-malformed'],
  ['another user', '8', 'auth.user-header-mismatch'],
  ['the console before anyone has signed in', '-1', 'auth.user-header-mismatch'],
] as const)('%s', (_, header, refusal) => {
  expect(userHeaderRefusal(header, 7)).toBe(refusal);
});
