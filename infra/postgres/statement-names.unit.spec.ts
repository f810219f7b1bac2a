import { expect, test } from 'vitest';
import { createStatementNames } from './statement-names.ts';

test('a frequent write gets a name', () => {
  const nameOf = createStatementNames('write');
  const insert = 'INSERT INTO a VALUES ($1)';
  const names = [nameOf(insert), nameOf(insert), nameOf(insert), nameOf(insert)];
  expect(names).toEqual([null, null, 'write_0', 'write_0']);
  const others = Array.from({ length: 3 }, () => nameOf('UPDATE a SET b = $1'));
  expect(others.at(-1)).toBe('write_1');
});

test('questions have none, and the names of a connection are bounded', () => {
  const nameOf = createStatementNames('write');
  const named = (text: string) => [nameOf(text), nameOf(text), nameOf(text)].at(-1);
  expect(named('SELECT 1')).toBeNull();
  const all = Array.from({ length: 300 }, (_, i) => named(`DELETE FROM t${i} WHERE a = $1`));
  expect(new Set(all.filter((name) => name !== null)).size).toBe(256);
});
