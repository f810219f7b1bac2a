import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestPostgres, type TestPostgres } from '../../tests/support/read-side.ts';
import { listCases } from './list-cases.ts';
import { fillLists } from './list-rows.ts';

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());

test('the rows of `npm run bench:lists` are rows of the lists as they are now', async () => {
  const { db, close } = await postgres.database();
  await fillLists(db, { users: 1_000, tokens: 1_000, channels: 100, codes: 2_000 });
  const cases = await listCases(db);
  const found = new Map<string, number>();
  for (const [name, call] of Object.entries(cases)) found.set(name, await call());
  await close();
  expect(found.get('users, first page of 50')).toBe(20);
  expect(found.get('tokens of one who holds 10000, first page')).toBe(20);
  expect(found.get('channels, first page')).toBe(20);
  expect(found.get('tags, first page')).toBe(20);
  expect(found.get('codes, first page of 100')).toBe(20);
});
