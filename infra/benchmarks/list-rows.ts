import { CompiledQuery, type Kysely } from 'kysely';
import { type ChannelListRow, channelListTables } from '../../projections/channel-list/table.ts';
import {
  type RedemptionListRow,
  redemptionListTables,
} from '../../projections/redemption-list/table.ts';
import { createStatements, indexStatements, type Tables } from '../../projections/runtime/table.ts';
import { idsOfBlock } from '../../projections/shared/blocks.ts';
import {
  type TokenListRow,
  type TokenNameRow,
  tokenListTables,
} from '../../projections/token-list/table.ts';
import { type UserListRow, userListTables } from '../../projections/user-list/table.ts';

type Counts = Readonly<{ users: number; tokens: number; channels: number; codes: number }>;
export const counts: Counts = {
  users: 100_000,
  tokens: 100_000,
  channels: 1_000,
  codes: 1_000_000,
};
/** A user that holds a tenth of all tokens. */
export const collector = { userId: 1, share: 0.1 } as const;

const run = async (db: Kysely<unknown>, text: string): Promise<void> => {
  await db.executeQuery(CompiledQuery.raw(text));
};

const setting = JSON.stringify({
  notify_type: 'email',
  quota_warning_threshold: 500_000,
  webhook_url: '',
  webhook_secret_set: false,
  notification_email: '',
  accept_unset_model_ratio_model: false,
});
const models = Array.from({ length: 40 }, (_, nth) => `model-${nth}-of-a-family`);

/** For each column of a table what the server computes from `i`, the number of the row. */
type Columns<Row> = Readonly<Record<keyof Row & string, string>>;

const filling = <Row>(table: string, rows: number, columns: Columns<Row>): string => {
  const names = Object.keys(columns).map((name) => `"${name}"`);
  const values = Object.values(columns);
  return `INSERT INTO ${table} (${names}) SELECT ${values} FROM generate_series(1, ${rows}) AS i`;
};

const createdAt = '1767225600';
const none = `''`;
const ownerOf = (users: number, ofCollector: number): string =>
  `CASE WHEN i <= ${ofCollector} THEN ${collector.userId} ELSE 2 + i % (${users} - 1) END`;
const modelsOf = `(SELECT string_agg(name, ',') FROM unnest('{${models.join(',')}}'::text[])
  WITH ORDINALITY AS m(name, nth) WHERE (nth + i) % 3 > 0)`;

const usersSql = (users: number): string =>
  filling<UserListRow>('user_list.users', users, {
    id: 'i',
    username: `'user-' || i`,
    display_name: `'Person ' || i`,
    role: 'CASE WHEN i = 1 THEN 100 WHEN i % 1000 = 0 THEN 10 ELSE 1 END',
    status: 'CASE WHEN i % 50 = 0 THEN 2 ELSE 1 END',
    email: `'mail' || i || '@' || (ARRAY['example.com', 'example.org', 'mail.test'])[i % 3 + 1]`,
    github_id: `CASE WHEN i % 4 = 0 THEN i::text ELSE '' END`,
    oidc_id: none,
    wechat_id: none,
    telegram_id: none,
    linux_do_id: none,
    quota: 'i * 1000',
    used_quota: 'i * 10',
    request_count: 'i',
    group: `(ARRAY['default', 'default', 'default', 'vip', 'svip'])[i % 5 + 1]`,
    aff_code: `'aff' || i`,
    aff_count: '0',
    aff_quota: '0',
    aff_history_quota: '0',
    inviter_id: '0',
    deleted_at: `CASE WHEN i % 97 = 0 THEN '2026-01-01T00:00:00.000Z' END`,
    setting: `CASE WHEN i % 2 = 0 THEN '${setting}' ELSE '' END`,
    session_epoch: '0',
    access_token_hash: 'md5(i::text)',
    second_factors: none,
    has_second_factor: 'false',
  });

const tokensSql = ({ users, tokens }: Counts): readonly string[] => {
  const owner = ownerOf(users, collector.share * tokens);
  return [
    filling<TokenListRow>('token_list.tokens', tokens, {
      id: 'i',
      user_id: owner,
      sealed_key: 'repeat(md5(i::text), 4)',
      status: '1',
      name: `'token ' || i % 5000`,
      created_time: createdAt,
      accessed_time: createdAt,
      expired_time: '-1',
      remain_quota: '500000',
      used_quota: '0',
      unlimited_quota: 'i % 3 = 0',
      model_limits_enabled: 'i % 5 = 0',
      model_limits: `CASE WHEN i % 5 = 0 THEN 'model-1,model-2' ELSE '' END`,
      allow_ips: none,
      group: none,
      requests_per_minute: '0',
      tokens_per_minute: '0',
      concurrent_requests: '0',
    }),
    filling<TokenNameRow>('token_list.names', tokens, {
      token_id: 'i',
      user_id: owner,
      name: `'token ' || i % 5000`,
    }),
  ];
};

const channelsSql = (channels: number): string =>
  filling<ChannelListRow>('channel_list.channels', channels, {
    id: 'i',
    type: 'i % 20 + 1',
    name: `'channel ' || i`,
    status: 'CASE WHEN i % 10 = 0 THEN 2 ELSE 1 END',
    models: modelsOf,
    group: `(ARRAY['default', 'default,vip', 'svip'])[i % 3 + 1]`,
    base_url: `'https://provider-' || i || '.test'`,
    other: none,
    openai_organization: none,
    test_model: none,
    tag: `CASE WHEN i % 5 = 0 THEN '' ELSE 'tag ' || i % 60 END`,
    model_mapping: none,
    status_code_mapping: none,
    setting: none,
    param_override: none,
    priority: 'i % 7',
    weight: 'i % 11',
    auto_ban: 'true',
    max_input_tokens: '0',
    cost_ratio: none,
    balance: '12.5',
    balance_updated_time: createdAt,
    used_quota: 'i * 1000',
    response_time: '400',
    test_time: createdAt,
    created_time: createdAt,
    status_reason: none,
    status_time: '0',
  });

const codesSql = (codes: number): readonly string[] => [
  filling<RedemptionListRow>('redemption_list.codes', codes, {
    id: 'i',
    user_id: '1',
    sealed_key: 'repeat(md5(i::text), 4)',
    status: 'CASE WHEN i % 3 = 0 THEN 3 WHEN i % 50 = 0 THEN 2 ELSE 1 END',
    name: `'batch ' || i / 100`,
    quota: '500000',
    created_time: createdAt,
    redeemed_time: `CASE WHEN i % 3 = 0 THEN ${createdAt} ELSE 0 END`,
    used_user_id: 'CASE WHEN i % 3 = 0 THEN i % 100000 ELSE 0 END',
  }),
  `INSERT INTO redemption_list.blocks (block, count)
    SELECT id / ${idsOfBlock}, count(*) FROM redemption_list.codes GROUP BY 1`,
  `INSERT INTO redemption_list.names (name, block, count)
    SELECT name, id / ${idsOfBlock}, count(*) FROM redemption_list.codes GROUP BY 1, 2`,
];

const schemas: Readonly<Record<string, Tables>> = {
  user_list: userListTables,
  token_list: tokenListTables,
  channel_list: channelListTables,
  redemption_list: redemptionListTables,
};

/** The tables of the lists as the projections make them, filled on the server. */
export const fillLists = async (db: Kysely<unknown>, rows: Counts = counts): Promise<void> => {
  for (const [schema, tables] of Object.entries(schemas)) {
    await run(db, `CREATE SCHEMA ${schema}`);
    for (const table of Object.values(tables)) {
      for (const statement of createStatements(schema, table)) await run(db, statement);
    }
  }
  const statements = [
    usersSql(rows.users),
    ...tokensSql(rows),
    channelsSql(rows.channels),
    ...codesSql(rows.codes),
  ];
  for (const statement of statements) await run(db, statement);
  for (const [schema, tables] of Object.entries(schemas)) {
    for (const statement of Object.values(tables).flatMap((table) =>
      indexStatements(schema, table),
    )) {
      await run(db, statement);
    }
  }
  await run(db, 'VACUUM ANALYZE');
};
