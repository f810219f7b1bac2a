import { defineTable, type RowOf, type SchemaOf } from '../runtime/table.ts';
import { personalKeyTable } from '../shared/personal-data.ts';

export const tokenListTables = {
  tokens: defineTable({
    name: 'tokens',
    columns: {
      id: 'int8',
      user_id: 'int8',
      /** Sealed; opened when its owner reads it. */
      sealed_key: 'text',
      /** 1 enabled, 2 disabled; 3 and 4 are seen at read time. */
      status: 'int8',
      name: 'text',
      /** Unix seconds. */
      created_time: 'int8',
      accessed_time: 'int8',
      expired_time: 'int8',
      /** Quota units. */
      remain_quota: 'int8',
      used_quota: 'int8',
      unlimited_quota: 'bool',
      model_limits_enabled: 'bool',
      /** Comma list. */
      model_limits: 'text',
      /** One address per line. */
      allow_ips: 'text',
      group: 'text',
      /** 0: no limit. */
      requests_per_minute: 'int8',
      tokens_per_minute: 'int8',
      concurrent_requests: 'int8',
    },
    key: ['id'],
    writeIndexes: ['(user_id, id)'],
  }),
  /** Outlives its token, so that the log of its calls still names it; goes when its owner leaves. */
  names: defineTable({
    name: 'names',
    columns: { token_id: 'int8', user_id: 'int8', name: 'text' },
    key: ['token_id'],
    writeIndexes: ['(user_id, name)'],
    indexes: ['(name)'],
  }),
  keys: personalKeyTable,
};

export type TokenListRow = RowOf<typeof tokenListTables.tokens>;
export type TokenListSchema = SchemaOf<'token_list', typeof tokenListTables>;
