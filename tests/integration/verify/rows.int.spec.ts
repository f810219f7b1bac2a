import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { VerifyReport } from '../../../infra/ports/verify.ts';
import { verify } from '../../../infra/verify/verify.ts';
import { createReadModels } from '../../../projections/create-read-models.ts';
import {
  type ReadSide,
  startReadSide,
  startTestPostgres,
  type TestPostgres,
} from '../../support/read-side.ts';
import { dayAfter, tellCleanStory } from './clean-story.ts';

let postgres: TestPostgres;
let side: ReadSide;
let tampered = '';

beforeAll(async () => {
  postgres = await startTestPostgres();
  side = await startReadSide(postgres);
  await tellCleanStory(side.eventStore);
  await side.settle();
});
afterAll(async () => {
  await side.stop();
  await postgres.stop();
});

/** Writes over a table; after the test the rows are as they were. */
const tamper = async (table: string, statement: string): Promise<void> => {
  await side.rows(`CREATE TABLE kept AS SELECT * FROM ${table}`);
  tampered = table;
  await side.rows(statement);
};
afterEach(async () => {
  if (tampered === '') return;
  await side.rows(`DELETE FROM ${tampered}`);
  await side.rows(`INSERT INTO ${tampered} SELECT * FROM kept`);
  await side.rows('DROP TABLE kept');
  tampered = '';
});
const tableOf = (statement: string): string => /UPDATE (\S+)/.exec(statement)?.[1] ?? '';

/** Several batches for a log of this size: rows are compared in several parts. */
const fewAtATime = { batchEvents: 7 };
const check = (): Promise<VerifyReport> =>
  verify({
    eventStore: side.eventStore,
    readModels: createReadModels(side.database.db, fewAtATime),
    clock: dayAfter,
  });

test('read models that agree with the log have no break', async () => {
  const report = await check();
  expect(report.breaks).toEqual([]);
  expect(report.notes).toEqual([]);
  expect(report.rows).toBeGreaterThan(30);
});

test.each([
  ['a balance', 'UPDATE user_list.users SET quota = quota + 1 WHERE id = 42', 'user_list.users/42'],
  ['a role', 'UPDATE user_list.users SET role = 10 WHERE id = 42', 'user_list.users/42'],
  ['a status', 'UPDATE user_list.users SET status = 2 WHERE id = 1', 'user_list.users/1'],
  ['a count of requests', 'UPDATE user_list.users SET request_count = 0', 'user_list.users/42'],
  ['a token budget', 'UPDATE token_list.tokens SET remain_quota = 1', 'token_list.tokens/7'],
  ['a token status', 'UPDATE token_list.tokens SET status = 2', 'token_list.tokens/7'],
  ['a channel sum', 'UPDATE channel_list.channels SET used_quota = 0', 'channel_list.channels/3'],
  [
    'an option',
    "UPDATE option_list.options SET value = 'x' WHERE key = 'SystemName'",
    'option_list.options/SystemName',
  ],
  ['a code', 'UPDATE redemption_list.codes SET used_user_id = 1', 'redemption_list.codes/9'],
  ['an order', "UPDATE topup_list.orders SET status = 'expired'", 'topup_list.orders/USR42'],
  [
    'what an order cost',
    'UPDATE topup_list.orders SET amount_minor = 1',
    'topup_list.orders/USR42',
  ],
  ['a credit of an order', 'UPDATE topup_list.credits SET quota = 1', 'topup_list.orders/USR42'],
  ['an account', 'UPDATE ledger.accounts SET used = used - 1', 'ledger.accounts/42'],
  [
    'a count of movements',
    "UPDATE ledger.days SET count = 9 WHERE kind = 'RequestCharged'",
    'ledger.days/42',
  ],
  [
    'a charge in the usage log',
    "UPDATE usage_log.entries SET quota = 1 WHERE request_id = 'req-2'",
    'usage_log.entries/',
  ],
  ['an hour', 'UPDATE usage_log.site_hours SET tokens = 1 WHERE type = 2', 'usage_log.site_hours'],
  ['an hour of a user', 'UPDATE usage_log.user_hours SET quota = 1', 'usage_log.user_hours/42/'],
  [
    'a minute',
    'UPDATE usage_log.group_minutes SET count = count + 1 WHERE type = 2',
    'usage_log.group_minutes/',
  ],
  ['an hour of a model', 'UPDATE usage_log.hours SET count = 5', 'usage_log.hours/'],
  [
    'a sum that pages are counted by',
    "UPDATE usage_log.facet_hours SET quota = quota + 1 WHERE facet = 'model' AND type = 2",
    'usage_log.facet_hours/model/',
  ],
])('%s that was altered is found by its row', async (_what, statement, row) => {
  await tamper(tableOf(statement), statement);
  const { breaks } = await check();
  expect(breaks.length).toBeGreaterThan(0);
  for (const found of breaks) expect(found.kind).toBe('row-differs');
  expect(breaks.some((found) => found.row?.startsWith(row))).toBe(true);
});

test('a movement that was altered is found by its place', async () => {
  const [row] = await side.rows<{ position: number }>(
    "SELECT position FROM ledger.entries WHERE request_id = 'req-2'",
  );
  await tamper('ledger.entries', "UPDATE ledger.entries SET delta = -1 WHERE request_id = 'req-2'");
  const { breaks } = await check();
  expect(breaks.map(({ row: key }) => key)).toContain(`ledger.entries/${row?.position}`);
});

test('a movement that was altered together with its balance is found all the same', async () => {
  await tamper(
    'ledger.entries',
    `UPDATE ledger.entries SET delta = delta + 1, balance_after = balance_after + 1
     WHERE position = (SELECT max(position) FROM ledger.entries)`,
  );
  const [newest] = await side.rows<{ position: number }>(
    'SELECT max(position) AS position FROM ledger.entries',
  );
  expect((await check()).breaks.map(({ kind, row }) => [kind, row])).toEqual([
    ['row-differs', `ledger.entries/${newest?.position}`],
  ]);
});

test.each([
  ['user_list.users', 'DELETE FROM user_list.users WHERE id = 1', 'row-missing', '/1'],
  [
    'redemption_list.codes',
    'INSERT INTO redemption_list.codes SELECT 10, user_id, sealed_key, status, name, quota, ' +
      'created_time, redeemed_time, used_user_id FROM redemption_list.codes',
    'row-unexpected',
    '/10',
  ],
])('a row of %s that is missing or too many is found', async (table, statement, kind, key) => {
  await tamper(table, statement);
  const found = (await check()).breaks.map((one) => [one.kind, one.row]);
  expect(found).toContainEqual([kind, `${table}${key}`]);
});

/** Kind, table and the first word of the key of each break. */
const tables = async (): Promise<Set<string>> => {
  const { breaks } = await check();
  return new Set(
    breaks.map(({ kind, row }) => `${kind} ${(row ?? '').split('/').slice(0, 2).join('/')}`),
  );
};

test('an hour that went to another model is found under both', async () => {
  await tamper(
    'usage_log.hours',
    "UPDATE usage_log.hours SET model_name = 'other' WHERE type = 2 AND user_id = 42",
  );
  const found = [...(await tables())];
  expect(found.some((one) => one.startsWith('row-missing usage_log.hours/'))).toBe(true);
  expect(found.some((one) => one.startsWith('row-unexpected usage_log.hours/'))).toBe(true);
});

test('sums that are gone are found', async () => {
  await tamper('usage_log.facet_hours', "DELETE FROM usage_log.facet_hours WHERE facet = 'group'");
  expect(await tables()).toEqual(new Set(['row-missing usage_log.facet_hours/group']));
});

test('a pruned usage log stays right, also after a rebuild, and the dashboard keeps its sums', async () => {
  const sums = () =>
    side.rows('SELECT sum(quota)::int8 AS quota FROM usage_log.hours WHERE type IN (2, -2)');
  const before = await sums();
  const [{ at } = { at: 0 }] = await side.rows<{ at: number }>(
    'SELECT max(created_at) AS at FROM usage_log.entries WHERE type = 2',
  );
  await side.append('site', { type: 'UsageLogPruned', data: { before: at + 1 } });
  await side.settle();
  const left = () => side.rows('SELECT type FROM usage_log.entries WHERE type IN (2, 5)');
  expect(await left()).toEqual([]);
  expect(await sums()).toEqual(before);
  expect((await check()).breaks).toEqual([]);
  await side.projections.rebuild('usage-log', () => {});
  expect(await left()).toEqual([]);
  expect(await sums()).toEqual(before);
  expect((await check()).breaks).toEqual([]);
});

test('a site that writes meanwhile has no break', async () => {
  const { eventStore } = side;
  const { event, metadata } =
    eventStore.all.find(({ event: { type } }) => type === 'OptionChanged') ?? {};
  if (event === undefined || metadata === undefined) throw new Error('the story changes no option');
  const busy = {
    ...eventStore,
    async *readAll(read = {}) {
      for await (const recorded of eventStore.readAll(read)) {
        yield recorded;
        const eventId = randomUUID();
        if (eventStore.all.length < 400)
          await eventStore.append('site', [{ event, eventId, metadata }], 'any');
      }
    },
  };
  const readModels = createReadModels(side.database.db, fewAtATime);
  const report = await verify({ eventStore: busy, readModels, clock: dayAfter });
  expect(report.breaks).toEqual([]);
  expect(report.notes).toEqual([]);
  expect(eventStore.all.length).toBeGreaterThan(report.events);
});

test('a checkpoint beyond the end of the log is found', async () => {
  await side.projections.stop();
  await tamper(
    'projections.checkpoint',
    "UPDATE projections.checkpoint SET position = 900000 WHERE name = 'ledger'",
  );
  expect((await check()).breaks.map(({ kind, row }) => [kind, row])).toEqual([
    ['checkpoint-ahead', 'projections.checkpoint/ledger'],
  ]);
});

test('a projection that is behind is compared with what it had applied, and named', async () => {
  await side.projections.stop();
  const { metadata } = side.eventStore.all[0] ?? {};
  if (metadata === undefined) throw new Error('the story is empty');
  const event = { type: 'UserDisabled', data: { userId: 42, sessionEpoch: 1 } };
  const eventId = 'c5c2cf5e-3a0c-4a57-9d62-6d9d9ad1a001';
  await side.eventStore.append('user-42', [{ event, eventId, metadata }], 'any');
  const report = await verify({
    eventStore: side.eventStore,
    readModels: createReadModels(side.database.db, fewAtATime),
    clock: dayAfter,
    patienceMs: 0,
  });
  expect(new Set(report.breaks.map(({ kind }) => kind))).toEqual(new Set(['checkpoint-behind']));
  expect(report.breaks.map(({ row }) => row)).toContain('projections.checkpoint/user-list');
  expect(report.notes).toContain('projection user-list is behind the log');
});
