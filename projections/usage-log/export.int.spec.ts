import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aRequestCharged } from '../../tests/support/account-events.ts';
import { checkAnswer } from '../../tests/support/declared-routes.ts';
import {
  type ReadSide,
  startReadSide,
  startTestPostgres,
  type TestPostgres,
} from '../../tests/support/read-side.ts';
import { signedIn, tellStory } from '../../tests/support/read-side-story.ts';
import type { LogRow } from '../contract/log.ts';

let postgres: TestPostgres;
let side: ReadSide;
let app: FastifyInstance;

/** More than two thousand calls, three of them in each second, over the end of a month. */
const calls = 2_300;
const from = Date.parse('2026-02-28T23:55:00.000Z');
const model = (i: number) => (i % 2 === 0 ? '=rare, "model"' : 'gpt-4o');

beforeAll(async () => {
  postgres = await startTestPostgres();
  side = await startReadSide(postgres);
  app = Fastify();
  await side.projections.register(app);
  await tellStory(side);
  for (let i = 0; i < calls; i += 1) {
    const userId = i % 4 === 0 ? 1 : 42;
    const charged = aRequestCharged({
      userId,
      sequence: 10 + i,
      call: { requestId: `export-${i}`, model: model(i), channelId: 3 },
    });
    const occurredAt = new Date(from + Math.floor(i / 3) * 1_000).toISOString();
    await side.append(`account-${userId}`, [charged, { occurredAt }]);
  }
  await side.settle();
});
afterAll(async () => {
  await app.close();
  await side.stop();
  await postgres.stop();
});

const file = async (url: string, as: number) => {
  const answer = await app.inject({ method: 'GET', url, headers: signedIn(as) });
  const isJson = String(answer.headers['content-type']).startsWith('application/json');
  if (isJson) checkAnswer(`GET ${url}`, answer.statusCode, answer.json());
  return { headers: answer.headers, text: answer.body };
};
const rowsOf = async (url: string, as: number): Promise<readonly LogRow[]> =>
  JSON.parse((await file(url, as)).text);
const numbersOf = (rows: readonly LogRow[]): readonly number[] =>
  rows
    .filter(({ request_id }) => request_id.startsWith('export-'))
    .map(({ request_id }) => Number(request_id.slice('export-'.length)));
const newestFirst = (wanted: (i: number) => boolean): readonly number[] =>
  Array.from({ length: calls }, (_, i) => calls - 1 - i).filter(wanted);

test('every entry is in the file once, newest first, however many there are', async () => {
  const rows = await rowsOf('/api/log/export?format=json', 1);
  expect(numbersOf(rows)).toEqual(newestFirst(() => true));
  const total = (await app.inject({ url: '/api/log/', headers: signedIn(1) })).json().data.total;
  expect(rows).toHaveLength(total);
});

test('the filters of the list hold for the file', async () => {
  const second = from / 1_000;
  const query = `model_name=gpt-4o&start_timestamp=${second + 100}&end_timestamp=${second + 500}`;
  const wanted = (i: number) => i % 2 === 1 && Math.floor(i / 3) >= 100 && Math.floor(i / 3) <= 500;
  expect(numbersOf(await rowsOf(`/api/log/export?format=json&${query}`, 1))).toEqual(
    newestFirst(wanted),
  );
  expect(await rowsOf('/api/log/export?format=json&username=unknown', 1)).toEqual([]);
});

test('an ordinary user gets the own entries, without channels and without places in the log', async () => {
  const rows = await rowsOf('/api/log/self/export?format=json', 42);
  expect(numbersOf(rows)).toEqual(newestFirst((i) => i % 4 !== 0));
  expect(new Set(rows.map(({ user_id }) => user_id))).toEqual(new Set([42]));
  expect(new Set(rows.map(({ channel }) => channel))).toEqual(new Set([0]));
  expect(JSON.stringify(rows)).not.toContain('admin_info');
  const listed = (await app.inject({ url: '/api/log/self?page_size=5', headers: signedIn(42) }))
    .json()
    .data.items.map(({ id }: LogRow) => id);
  expect(rows.slice(0, 5).map(({ id }) => id)).toEqual(listed);
});

test('the log of all is not for ordinary users', async () => {
  expect(JSON.parse((await file('/api/log/export', 42)).text)).toMatchObject({ success: false });
});

test('the table has the columns of the console, and no cell that runs as a formula', async () => {
  const { headers, text } = await file('/api/log/export?type=2', 1);
  expect(headers['content-type']).toContain('text/csv');
  expect(headers['content-disposition']).toBe('attachment; filename="logs.csv"');
  const lines = text.split('\r\n');
  expect(lines[0]).toBe(
    '\uFEFFtime,channel,user,token,group,type,model,use_time_seconds,prompt_tokens,' +
      'completion_tokens,cost,quota,request_id,content',
  );
  const charges = lines.filter((line) => line.includes('export-'));
  expect(charges).toHaveLength(calls);
  // The first of all calls is the last of them in the file; its model begins like a formula.
  expect(charges.at(-1)).toBe(
    '2026-02-28T23:55:00.000Z,3,root,laptop,default,Consume,"\'=rare, ""model""",1,1000,500,' +
      '$0.007250,3625,export-0,"Model ratio 1.25, completion ratio 4, group ratio 1"',
  );
  expect(text.endsWith('\r\n')).toBe(true);
});
