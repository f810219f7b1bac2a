import { CompiledQuery, type Kysely } from 'kysely';
import { channelListTables } from '../../projections/channel-list/table.ts';
import { redemptionListTables } from '../../projections/redemption-list/table.ts';
import { createStatements, indexStatements, type Tables } from '../../projections/runtime/table.ts';
import { idsOfBlock } from '../../projections/shared/blocks.ts';
import { tokenListTables } from '../../projections/token-list/table.ts';
import { userListTables } from '../../projections/user-list/table.ts';

export const counts = {
  users: 100_000,
  tokens: 100_000,
  channels: 1_000,
  codes: 1_000_000,
} as const;
/** A user that holds a tenth of all tokens. */
export const collector = { userId: 1, tokens: 10_000 } as const;

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

/** One row for each: columns in the order of the tables of the projections. */
const fillSql: readonly string[] = [
  `INSERT INTO user_list.users SELECT i, 'user-' || i, 'Person ' || i, CASE WHEN i = 1 THEN 100
    WHEN i % 1000 = 0 THEN 10 ELSE 1 END, CASE WHEN i % 50 = 0 THEN 2 ELSE 1 END,
    'mail' || i || '@' || (ARRAY['example.com', 'example.org', 'mail.test'])[i % 3 + 1],
    CASE WHEN i % 4 = 0 THEN i::text ELSE '' END, '', '', '', '', i * 1000, i * 10, i,
    (ARRAY['default', 'default', 'default', 'vip', 'svip'])[i % 5 + 1], 'aff' || i, 0, 0, 0, 0,
    CASE WHEN i % 97 = 0 THEN '2026-01-01T00:00:00.000Z' END,
    CASE WHEN i % 2 = 0 THEN '${setting}' ELSE '' END, 0, md5(i::text)
    FROM generate_series(1, ${counts.users}) AS i`,
  `INSERT INTO token_list.tokens SELECT i, CASE WHEN i <= ${collector.tokens} THEN ${collector.userId}
    ELSE 2 + i % (${counts.users} - 1) END, repeat(md5(i::text), 4), 1, 'token ' || i % 5000, 1767225600,
    1767225600, -1, 500000, 0, i % 3 = 0, i % 5 = 0, CASE WHEN i % 5 = 0 THEN 'model-1,model-2' ELSE ''
    END, '', '' FROM generate_series(1, ${counts.tokens}) AS i`,
  `INSERT INTO channel_list.channels SELECT i, i % 20 + 1, 'channel ' || i, CASE WHEN i % 10 = 0 THEN 2
    ELSE 1 END, (SELECT string_agg(name, ',') FROM unnest('{${models.join(',')}}'::text[])
    WITH ORDINALITY AS m(name, nth) WHERE (nth + i) % 3 > 0), (ARRAY['default', 'default,vip',
    'svip'])[i % 3 + 1], 'https://provider-' || i || '.test', '', '', '', CASE WHEN i % 5 = 0 THEN ''
    ELSE 'tag ' || i % 60 END, '', '', '', '', i % 7, i % 11, true, 12.5, 1767225600, i * 1000, 400,
    1767225600, 1767225600, '', 0 FROM generate_series(1, ${counts.channels}) AS i`,
  `INSERT INTO redemption_list.codes SELECT i, 1, repeat(md5(i::text), 4), CASE WHEN i % 3 = 0 THEN 3
    WHEN i % 50 = 0 THEN 2 ELSE 1 END, 'batch ' || i / 100, 500000, 1767225600,
    CASE WHEN i % 3 = 0 THEN 1767225600 ELSE 0 END, CASE WHEN i % 3 = 0 THEN i % 100000 ELSE 0 END
    FROM generate_series(1, ${counts.codes}) AS i`,
  `INSERT INTO redemption_list.blocks SELECT id / ${idsOfBlock}, count(*) FROM redemption_list.codes
    GROUP BY 1`,
  `INSERT INTO redemption_list.names SELECT name, id / ${idsOfBlock}, count(*)
    FROM redemption_list.codes GROUP BY 1, 2`,
];

const schemas: Readonly<Record<string, Tables>> = {
  user_list: userListTables,
  token_list: tokenListTables,
  channel_list: channelListTables,
  redemption_list: redemptionListTables,
};

/** The tables of the lists as the projections make them, filled on the server. */
export const fillLists = async (db: Kysely<unknown>): Promise<void> => {
  for (const [schema, tables] of Object.entries(schemas)) {
    await run(db, `CREATE SCHEMA ${schema}`);
    for (const table of Object.values(tables)) {
      for (const statement of createStatements(schema, table)) await run(db, statement);
    }
  }
  for (const statement of fillSql) await run(db, statement);
  for (const [schema, tables] of Object.entries(schemas)) {
    for (const statement of Object.values(tables).flatMap((table) =>
      indexStatements(schema, table),
    )) {
      await run(db, statement);
    }
  }
  await run(db, 'VACUUM ANALYZE');
};
