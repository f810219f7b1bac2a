import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  startTestPostgres,
  type TestDatabase,
  type TestPostgres,
} from '../../tests/support/read-side.ts';
import { copyOut } from './copy-out.ts';
import { createPool } from './create-database.ts';

let postgres: TestPostgres;
let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  postgres = await startTestPostgres();
  database = await postgres.database();
  // One connection: what a refused copy leaves behind meets the next question.
  pool = createPool({ url: database.url, applicationName: 'copy', maxConnections: 1 });
  await pool.query('create table things (id int8 primary key, name text, bytes bytea, good bool)');
});
afterAll(async () => {
  await pool.end();
  await database.close();
  await postgres.stop();
});

/** Answers with the number of rows that went in. */
const copyIn = async (table: string, rows: string): Promise<number | null> => {
  const client = await pool.connect();
  try {
    return (await client.query(`COPY ${table} FROM STDIN`, [Buffer.from(rows)])).rowCount;
  } finally {
    client.release();
  }
};

test('rows of any size are returned as they are stored, in order', async () => {
  const stored = Array.from({ length: 300 }, (_, id) => ({
    id: id === 0 ? Number.MIN_SAFE_INTEGER : id * 30_000_000_000,
    name: `thing ${id} – 模型`,
    bytes: randomBytes(id % 7 === 0 ? 70_000 : id),
    good: id % 2 === 0,
  }));
  for (const { id, name, bytes, good } of stored) {
    await pool.query('insert into things values ($1, $2, $3, $4)', [id, name, bytes, good]);
  }
  const rows = await copyOut(pool, 'select id, name, bytes, good from things order by id');
  const found = rows.map((row) => ({
    id: row.int8(),
    name: row.text(),
    bytes: row.bytes(),
    good: row.bool(),
  }));
  expect(found).toEqual(stored);
  await pool.query('delete from things');
});

test('a question without an answer gives no rows', async () => {
  expect(await copyOut(pool, 'select 1 where false')).toEqual([]);
});

test('a number that would have to be rounded is refused', async () => {
  const [row] = await copyOut(pool, 'select 9007199254740993::int8');
  expect(() => row?.int8()).toThrow(RangeError);
});

test('a query that the server refuses fails with its reason, and the next one is answered', async () => {
  await expect(copyOut(pool, 'select nothing')).rejects.toThrow('"nothing" does not exist');
  await expect(copyOut(pool, 'select 1 / (i - 3) from generate_series(1, 9) i')).rejects.toThrow(
    'division by zero',
  );
  expect(await copyOut(pool, 'select 1')).toHaveLength(1);
});

test('rows go in that are larger than one message', async () => {
  const text = 'x'.repeat(700_000);
  expect(await copyIn('things (id, name)', `1\t${text}\n2\t${text}\n`)).toBe(2);
  const { rows } = await pool.query('select sum(length(name))::int as total from things');
  expect(rows).toEqual([{ total: 1_400_000 }]);
});

test('rows that the server refuses fail with its reason, and the connection stays in order', async () => {
  const many = Array.from({ length: 50_000 }, (_, id) => `${id}\tname\n`).join('');
  await expect(copyIn('nowhere', many)).rejects.toThrow('"nowhere" does not exist');
  await expect(copyIn('things (id, name)', `1\ttwice\n${many}`)).rejects.toThrow('duplicate key');
  await expect(copyIn('things (id, name)', `none\tbad\n${many}`)).rejects.toThrow('invalid input');
  const { rows } = await pool.query('select count(*)::int as count from things');
  expect(rows).toEqual([{ count: 2 }]);
});
