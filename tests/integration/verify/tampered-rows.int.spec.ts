import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { VerifyReport } from '../../../infra/ports/verify.ts';
import { verify } from '../../../infra/verify/verify.ts';
import { createReadModels, keylessProjectors } from '../../../projections/create-read-models.ts';
import { schemaOf } from '../../../projections/runtime/projector.ts';
import type { ColumnType } from '../../../projections/runtime/table.ts';
import {
  type ReadSide,
  startReadSide,
  startTestPostgres,
  type TestPostgres,
} from '../../support/read-side.ts';
import { dayAfter } from './clean-story.ts';
import { createTampering } from './tampered-story.ts';
import { grace } from './whole-story.ts';

/*
 * A person with access to PostgreSQL changes the read models. Every table of every read model is
 * tried: a row is removed, and each column gets another value. What cannot be compared is in a
 * list.
 */

let postgres: TestPostgres;
let side: ReadSide;
let tampered = '';
const tampering = createTampering();

beforeAll(async () => {
  postgres = await startTestPostgres();
  side = await startReadSide(postgres);
  await tampering.tell(side.eventStore);
  await side.settle();
  await side.projections.stop();
});
afterAll(async () => {
  await side.stop();
  await postgres.stop();
});
afterEach(async () => {
  if (tampered === '') return;
  await side.rows(`DELETE FROM ${tampered}`);
  await side.rows(`INSERT INTO ${tampered} SELECT * FROM kept`);
  await side.rows('DROP TABLE kept');
  tampered = '';
});

/** Several batches for a log of this size: rows are compared in several parts. */
const fewAtATime = { batchEvents: 7 };
const check = (): Promise<VerifyReport> =>
  verify({
    eventStore: side.eventStore,
    readModels: createReadModels(side.database.db, fewAtATime),
    clock: dayAfter,
    patienceMs: 0,
  });
/** `row-differs usage_log.entries/70`; of rows alone, since the story holds a dead letter. */
const breaks = async (): Promise<readonly string[]> =>
  (await check()).breaks.flatMap(({ kind, row }) => (row === null ? [] : [`${kind} ${row}`]));
/** Writes over a table; after the test the rows are as they were. */
const tamper = async (table: string, statement: string): Promise<void> => {
  await side.rows(`CREATE TABLE kept AS SELECT * FROM ${table}`);
  tampered = table;
  await side.rows(statement);
};

type Column = readonly [table: string, column: string, type: ColumnType];
const owned = keylessProjectors.flatMap(({ name, tables: own }) =>
  Object.values(own).map((table) => ({ name: `${schemaOf(name)}.${table.name}`, table })),
);
const tables = owned.map(({ name }) => name);
const columns = owned.flatMap(({ name, table }) =>
  Object.entries(table.columns).map(([column, type]): Column => [name, column, type]),
);

test('read models as the projections left them have no break', async () => {
  expect(await breaks()).toEqual([]);
  expect((await check()).notes).toEqual([]);
});

describe('a row that is gone', () => {
  test.each(tables)('of %s is found', async (table) => {
    await tamper(table, `DELETE FROM ${table} WHERE ${firstOf(table)}`);
    const found = await breaks();
    expect(found.filter((one) => one.includes(`${table.split('.')[0]}.`))).not.toEqual([]);
  });
});

/** Another value that the column can hold. */
const other = (column: string, type: ColumnType): string => {
  if (type.startsWith('int8')) return `coalesce("${column}", 0) + 1000`;
  if (type === 'float8') return `"${column}" + 1`;
  if (type === 'bool') return `NOT "${column}"`;
  const isJson = `"${column}" ~ '^[\\[{]'`;
  const json = `CASE WHEN "${column}" ~ '^\\[' THEN '[{"forged":1}]' ELSE '{"forged":1}' END`;
  return `CASE WHEN ${isJson} THEN ${json} ELSE coalesce("${column}", '') || 'x' END`;
};

/**
 * Cells that verify cannot compare, each with the reason. No whole table is among them, and of whole columns
 * only what the log has always sealed: in the others, what it holds in the clear is compared.
 */
const exceptions: readonly (readonly [table: string, columns: string, row: string, why: string])[] =
  [
    ['user_list.users', 'username display_name email', `id = ${grace}`, 'sealed in the log'],
    ['user_list.users', 'github_id oidc_id wechat_id', `id = ${grace}`, 'sealed in the log'],
    ['user_list.users', 'telegram_id linux_do_id', `id = ${grace}`, 'sealed in the log'],
    ['token_list.tokens', 'name allow_ips', 'id = 9', 'sealed in the log'],
    ['token_list.names', 'name', 'token_id = 9', 'sealed in the log'],
  ];

const firstOf = (table: string): string =>
  `ctid = (SELECT min(ctid) FROM ${table} ` +
  `WHERE tableoid = (SELECT min(tableoid::int8)::oid FROM ${table}))`;
/** People whose name and tokens the log holds in the clear, as earlier releases wrote them. */
const inTheClear: Readonly<Record<string, string>> = {
  'user_list.users': 'id = 42',
  'token_list.tokens': 'id = 7',
};
const change = async (
  [table, column, type]: Column,
  row: string = inTheClear[table] ?? firstOf(table),
): Promise<readonly string[]> => {
  const value = other(column, type);
  await tamper(table, `UPDATE ${table} SET "${column}" = ${value} WHERE ${row}`);
  return breaks();
};
const typeOf = (table: string, column: string): ColumnType =>
  columns.find(([name, own]) => name === table && own === column)?.[2] ?? 'text';

describe('a value that was changed', () => {
  const open = columns.filter(([, column]) => column !== 'display_name');
  test.each(open)('in %s.%s is found', async (table, column, type) => {
    const found = await change([table, column, type]);
    expect(found.filter((one) => one.includes(`${table.split('.')[0]}.`))).not.toEqual([]);
  });

  test.each(
    exceptions.flatMap(([table, names, row, why]) =>
      names.split(' ').map((column) => [table, column, row, why] as const),
    ),
  )('in %s.%s where %s cannot be compared: %s', async (table, column, row) => {
    expect(await change([table, column, typeOf(table, column)], row)).toEqual([]);
  });
});

describe('a row that was added', () => {
  test.each([
    ['usage_log.entries', 'id', 'id + 1'],
    ['ledger.entries', 'position', 'position + 1'],
    ['ledger.lease_moves', 'position', 'position + 1'],
    ['ledger.leases', 'id', "id || 'x'"],
    ['audit_trail.entries', 'position', 'position + 1'],
    ['relay_feeds.accounts', 'user_id', 'user_id + 1000'],
    ['relay_feeds.tokens', 'key_hash', "'f' || key_hash"],
    ['relay_feeds.channels', 'channel_id', 'channel_id + 1000'],
    ['relay_feeds.options', 'key', "key || 'x'"],
    ['user_list.users', 'id', 'id + 1000'],
    ['token_list.tokens', 'id', 'id + 1000'],
    ['channel_list.channels', 'id', 'id + 1000'],
    ['redemption_list.codes', 'id', 'id + 1000'],
    ['option_list.options', 'key', "key || 'x'"],
    ['ledger.accounts', 'user_id', 'user_id + 1000'],
  ])('to %s is found', async (table, key, value) => {
    const names = columns.filter(([own]) => own === table).map(([, name]) => name);
    const list = names.map((name) => `"${name}"`).join(', ');
    const cells = names.map((name) => (name === key ? value : `"${name}"`)).join(', ');
    await tamper(
      table,
      `INSERT INTO ${table} (${list}) SELECT ${cells} FROM ${table} ORDER BY ctid LIMIT 1`,
    );
    const found = await breaks();
    expect(found.filter((one) => one.startsWith(`row-unexpected ${table}/`))).not.toEqual([]);
  });
});

describe('a checkpoint', () => {
  const set = (name: string, position: string, eventId = 'event_id') =>
    tamper(
      'projections.checkpoint',
      `UPDATE projections.checkpoint SET position = ${position}, event_id = ${eventId} WHERE name = '${name}'`,
    );
  const names = keylessProjectors.map(({ name }) => name);

  test.each(names)('of %s that was set back is found', async (name) => {
    await set(name, '40');
    expect(await breaks()).toContain(`checkpoint-mismatch projections.checkpoint/${name}`);
  });

  test.each(names)('of %s that was reset with its event is found by a later one', async (name) => {
    const { eventId = '' } = side.eventStore.all[3] ?? {};
    await set(name, '40', `'${eventId}'`);
    expect(await breaks()).toContain(`checkpoint-behind projections.checkpoint/${name}`);
  });

  test.each(names)('of %s beyond the log is found', async (name) => {
    await set(name, '900000');
    expect(await breaks()).toContain(`checkpoint-ahead projections.checkpoint/${name}`);
  });

  test.each(names)('of %s that names another event is found', async (name) => {
    await set(name, 'position', "'another'");
    expect(await breaks()).toContain(`checkpoint-mismatch projections.checkpoint/${name}`);
  });
});

describe('a read model that is not there', () => {
  test.each([
    ['the schema of one', 'SCHEMA ledger', 'ledger_away', 'ledger.accounts'],
    ['a table', 'TABLE relay_feeds.tokens', 'tokens_away', 'relay_feeds.tokens'],
    ['all checkpoints', 'SCHEMA projections', 'projections_away', 'usage-log'],
  ])('%s is a break and names itself', async (_what, thing, away, found) => {
    await side.rows(`ALTER ${thing} RENAME TO ${away}`);
    const report = await check();
    const [kind = '', name = ''] = thing.split(' ');
    const back = name.includes('.') ? `${name.split('.')[0]}.${away}` : away;
    await side.rows(`ALTER ${kind} ${back} RENAME TO ${name.split('.').at(-1)}`);
    const missing = report.breaks.filter((one) => one.kind === 'read-model-missing');
    expect(missing.map(({ row }) => row)).toContain(found);
    expect(await breaks()).toEqual([]);
  });
});

/** 2^53 + 1, which a number cannot be. */
const tooLarge = '9007199254740993';

test.each([
  ['user_list.users', 'used_quota'],
  ['ledger.entries', 'delta'],
  ['usage_log.entries', 'quota'],
  ['usage_log.hours', 'quota'],
  ['channel_list.channels', 'used_quota'],
])('a number of %s beyond 2^53 is a break that names row and column %s', async (table, column) => {
  await tamper(table, `UPDATE ${table} SET "${column}" = ${tooLarge} WHERE ${firstOf(table)}`);
  const { breaks: allFound } = await check();
  const found = allFound.filter(({ row }) => row !== null);
  const named = found.filter((one) => one.row?.startsWith(`${table}/`) === true);
  expect(named).toHaveLength(1);
  expect(named[0]).toMatchObject({ kind: 'row-differs' });
  expect(named[0]?.detail).toContain(`${column} is ${tooLarge}`);
  expect(found).toHaveLength(1);
});
