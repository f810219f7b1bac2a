import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  startTestPostgres,
  type TestDatabase,
  type TestPostgres,
} from '../../tests/support/read-side.ts';
import { createPool } from './create-database.ts';
import type { Statement } from './statement-batch.ts';

let postgres: TestPostgres;
let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  postgres = await startTestPostgres();
  database = await postgres.database();
  // One connection: what a refused batch leaves behind meets the next one.
  pool = createPool({ url: database.url, applicationName: 'batch', maxConnections: 1 });
  await pool.query('create table things (id int8 primary key, name text)');
});
beforeEach(async () => {
  await pool.query('delete from things');
});
afterAll(async () => {
  await pool.end();
  await database.close();
  await postgres.stop();
});

const insert = (id: number, name: string): Statement => ({
  text: 'INSERT INTO things SELECT * FROM unnest($1::int8[], $2::text[])',
  values: [`{${id}}`, `{${name}}`],
});
const rename = (id: number, name: string | null): Statement => ({
  text: 'UPDATE things SET name = $2 WHERE id = $1::int8',
  values: [String(id), name],
});
const batch = async (statements: readonly Statement[]): Promise<number | null> => {
  const client = await pool.connect();
  try {
    return (await client.query('BATCH', [statements])).rowCount;
  } finally {
    client.release();
  }
};
const rows = async () => (await pool.query('select id, name from things order by id')).rows;

test('statements of a batch take effect in their order, parsed again or prepared on the server', async () => {
  for (let id = 1; id <= 6; id += 1) {
    expect(await batch([insert(id, 'old'), rename(id, `new ${id}`), insert(100 + id, 'b')])).toBe(
      3,
    );
  }
  expect(await batch([rename(1, null), rename(2, 'two')])).toBe(2);
  const found = await rows();
  expect(found).toHaveLength(12);
  expect(found.slice(0, 3)).toEqual([
    { id: 1, name: null },
    { id: 2, name: 'two' },
    { id: 3, name: 'new 3' },
  ]);
  const { rows: prepared } = await pool.query('select statement from pg_prepared_statements');
  expect(prepared).toHaveLength(2);
});

test('outside of a transaction a batch is one by itself', async () => {
  for (let round = 0; round < 5; round += 1) {
    await expect(batch([insert(1, 'a'), insert(2, 'b'), insert(1, 'again')])).rejects.toMatchObject(
      { code: '23505' },
    );
  }
  expect(await rows()).toEqual([]);
  const asking = {
    text: 'WITH moved AS (UPDATE things SET name = $1 RETURNING 1) SELECT count(*) FROM moved',
    values: ['all'],
  };
  await batch([insert(1, 'a'), asking]);
  expect(await rows()).toEqual([{ id: 1, name: 'all' }]);
});

test('the first that fails ends the batch, its transaction, and no more', async () => {
  const client = await pool.connect();
  const renameAll = { text: 'UPDATE things SET name = $1', values: ['all'] };
  try {
    for (let round = 0; round < 5; round += 1) {
      await client.query('begin');
      const failing = [insert(1, 'a'), renameAll, insert(1, 'again'), insert(2, 'after')];
      await expect(client.query('BATCH', [failing])).rejects.toMatchObject({ code: '23505' });
      await client.query('rollback');
    }
    await client.query('BATCH', [[insert(3, 'c'), renameAll]]);
  } finally {
    client.release();
  }
  expect(await rows()).toEqual([{ id: 3, name: 'all' }]);
});
