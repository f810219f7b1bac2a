import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { VerifyReport } from '../../../infra/ports/verify.ts';
import { verify } from '../../../infra/verify/verify.ts';
import type { ColumnType } from '../../../projections/runtime/table.ts';
import { createReadModels } from '../../../projections/verify-rows.ts';
import { readModelTables } from '../../../projections/verify-tables.ts';
import {
  type ReadSide,
  startReadSide,
  startTestPostgres,
  type TestPostgres,
} from '../../support/read-side.ts';
import { dayAfter } from './clean-story.ts';
import { createTampering } from './tampered-story.ts';

/*
 * Somebody with access to PostgreSQL changes the read models. Every table of every read model is
 * tried: a row goes, and each column gets another value. What is not compared stands in a list.
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

const check = (): Promise<VerifyReport> =>
  verify({
    eventStore: side.eventStore,
    readModels: createReadModels(side.database.db),
    clock: dayAfter,
    patienceMs: 0,
  });
/** `row-differs usage_log.entries/70` */
const breaks = async (): Promise<readonly string[]> =>
  (await check()).breaks.map(({ kind, row }) => `${kind} ${row}`);
/** Writes over a table; after the test the rows are as they were. */
const tamper = async (table: string, statement: string): Promise<void> => {
  await side.rows(`CREATE TABLE kept AS SELECT * FROM ${table}`);
  tampered = table;
  await side.rows(statement);
};

type Column = readonly [table: string, column: string, type: ColumnType];
const tables: readonly string[] = Object.entries(readModelTables).flatMap(([name, own]) =>
  Object.values(own).map((table) => `${name.replaceAll('-', '_')}.${table.name}`),
);
const columns: readonly Column[] = Object.entries(readModelTables).flatMap(([name, own]) =>
  Object.values(own).flatMap((table) =>
    Object.entries(table.columns).map(
      ([column, type]): Column => [`${name.replaceAll('-', '_')}.${table.name}`, column, type],
    ),
  ),
);

/**
 * Tables that verify does not look at, and why. Empty in the story: tasks, blocks of codes, hidden
 * hours, sessions and orders that were paid again.
 */
const unseenTables = new Set([
  'relay_feeds.personal_keys',
  'user_list.personal_keys',
  'token_list.personal_keys',
  'user_list.sessions',
  'token_list.names',
  'redemption_list.blocks',
  'redemption_list.names',
  'option_list.site',
  'task_list.tasks',
  'topup_list.repeats',
  'audit_trail.things',
  'usage_log.hidden_hours',
  'usage_log.switches',
]);

test('read models as the projections left them have no break', async () => {
  const report = await check();
  expect(report.breaks).toEqual([]);
  expect(report.notes).toEqual([]);
});

describe('a row that is gone', () => {
  test.each(tables.filter((table) => !unseenTables.has(table)))('of %s is found', async (table) => {
    await tamper(
      table,
      `DELETE FROM ${table} WHERE ctid = (SELECT min(ctid) FROM ${table} ` +
        `WHERE tableoid = (SELECT min(tableoid::int8)::oid FROM ${table}))`,
    );
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

/** Columns that verify does not look at: what is shown of a thing beside money and access. */
const unseenNames: readonly (readonly [table: string, names: string])[] = [
  // Sealed in the log, where nothing but the vault opens them.
  ['user_list.users', 'username display_name email github_id oidc_id wechat_id telegram_id'],
  ['user_list.users', 'linux_do_id'],
  ['token_list.tokens', 'name allow_ips'],
  // Who invited whom; the rewards are in the ledger.
  ['user_list.users', 'aff_code aff_count aff_quota aff_history_quota inviter_id'],
  ['user_list.users', 'setting second_factors has_second_factor session_epoch access_token_hash'],
  // Relays go by the feeds, which are compared.
  ['token_list.tokens', 'sealed_key created_time accessed_time expired_time group'],
  ['token_list.tokens', 'model_limits_enabled model_limits'],
  ['channel_list.channels', 'type name models group base_url other openai_organization test_model'],
  ['channel_list.channels', 'tag model_mapping status_code_mapping setting param_override'],
  ['channel_list.channels', 'priority weight auto_ban max_input_tokens'],
  ['channel_list.channels', 'balance balance_updated_time response_time test_time created_time'],
  ['channel_list.channels', 'status_reason status_time'],
  ['option_list.options', 'position'],
  // Counts for the pages; their sum is compared.
  ['ledger.days', 'day kind'],
  ['redemption_list.codes', 'user_id sealed_key name created_time redeemed_time'],
  ['topup_list.orders', 'position provider method dollars currency late source code_url'],
  ['topup_list.orders', 'provider_reference created_time expire_time paid_time'],
  ['topup_list.credits', 'position event_id user_id at'],
];
const unseenColumns = new Set(
  unseenNames.flatMap(([table, names]) => names.split(' ').map((name) => `${table}.${name}`)),
);
const keyOf = ([table, column]: Column): string => `${table}.${column}`;
const isTried = ([table]: Column): boolean => !unseenTables.has(table);

const change = async ([table, column, type]: Column): Promise<readonly string[]> => {
  await tamper(
    table,
    `UPDATE ${table} SET "${column}" = ${other(column, type)} WHERE ctid = ` +
      `(SELECT min(ctid) FROM ${table} WHERE tableoid = (SELECT min(tableoid::int8)::oid FROM ${table}))`,
  );
  return breaks();
};

describe('a value that was changed', () => {
  test.each(columns.filter((one) => isTried(one) && !unseenColumns.has(keyOf(one))))(
    'in %s.%s is found',
    async (table, column, type) => {
      const found = await change([table, column, type]);
      expect(found.filter((one) => one.includes(`${table.split('.')[0]}.`))).not.toEqual([]);
    },
  );

  test.each(columns.filter((one) => unseenColumns.has(keyOf(one))))(
    'in %s.%s is not compared',
    async (table, column, type) => {
      expect(await change([table, column, type])).toEqual([]);
    },
  );
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
  const names = Object.keys(readModelTables);

  test.each(names)('of %s that was set back is found', async (name) => {
    await set(name, '40');
    expect(await breaks()).toContain(`checkpoint-mismatch projections.checkpoint/${name}`);
  });

  test.each(['ledger', 'usage-log', 'user-list', 'token-list', 'audit-trail', 'relay-feeds'])(
    'of %s that was set back with the event that stands there is found by the rows behind it',
    async (name) => {
      const { eventId = '' } = side.eventStore.all[3] ?? {};
      await set(name, '40', `'${eventId}'`);
      const schema = `${name.replaceAll('-', '_')}.`;
      expect((await breaks()).filter((one) => one.includes(schema))).not.toEqual([]);
    },
  );

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
    expect((await check()).breaks).toEqual([]);
  });
});
