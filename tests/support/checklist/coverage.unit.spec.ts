import { expect, test } from 'vitest';
import { coveredIn, readCoverage } from './coverage.ts';
import { checklist, covers } from './covers.ts';
import { reasonLeft } from './left.ts';

test('a test names the promises that it holds, over one line or more', () => {
  expect(coveredIn("covers('login-1', 'login-2');\ncovers(\n  'home-1',\n);")).toEqual([
    'login-1',
    'login-2',
    'home-1',
  ]);
  expect(() => covers('no-such')).toThrow('not on the checklist');
});

test('every promise that a test names is on the list, and the list has no id twice', () => {
  const ids = checklist.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const named = [...readCoverage().by.keys()];
  expect(named.filter((id) => !ids.includes(id))).toEqual([]);
});

test('a promise is held by a test, or it is said why it is not, and never both', () => {
  const left = readCoverage().left.map(({ id }) => id);
  expect([...reasonLeft.keys()].sort()).toEqual(left.sort());
  for (const reason of reasonLeft.values()) expect(reason).toMatch(/^[A-Z].+\.$/);
});
