import { tableOf } from '../runtime/table.ts';
import { personalKeyTable } from '../shared/personal-data.ts';

export type TokenListRow = Readonly<{
  id: number;
  user_id: number;
  /** Sealed; opened when its owner reads it. */
  sealed_key: string;
  /** 1 enabled, 2 disabled; 3 and 4 are seen at read time. */
  status: number;
  name: string;
  /** Unix seconds. */
  created_time: number;
  accessed_time: number;
  expired_time: number;
  /** Quota units. */
  remain_quota: number;
  used_quota: number;
  unlimited_quota: boolean;
  model_limits_enabled: boolean;
  /** Comma list. */
  model_limits: string;
  /** One address per line. */
  allow_ips: string;
  group: string;
  /** 0: no limit. */
  requests_per_minute: number;
  tokens_per_minute: number;
  concurrent_requests: number;
}>;

/** Outlives its token, so that the log of its calls still names it; goes when its owner leaves. */
export type TokenNameRow = Readonly<{ token_id: number; user_id: number; name: string }>;

export const tokenListTables = {
  tokens: tableOf<TokenListRow>()({
    name: 'tokens',
    columns: {
      id: 'int8',
      user_id: 'int8',
      sealed_key: 'text',
      status: 'int8',
      name: 'text',
      created_time: 'int8',
      accessed_time: 'int8',
      expired_time: 'int8',
      remain_quota: 'int8',
      used_quota: 'int8',
      unlimited_quota: 'bool',
      model_limits_enabled: 'bool',
      model_limits: 'text',
      allow_ips: 'text',
      group: 'text',
      requests_per_minute: 'int8',
      tokens_per_minute: 'int8',
      concurrent_requests: 'int8',
    },
    key: ['id'],
    writeIndexes: ['(user_id, id)'],
  }),
  names: tableOf<TokenNameRow>()({
    name: 'names',
    columns: { token_id: 'int8', user_id: 'int8', name: 'text' },
    key: ['token_id'],
    writeIndexes: ['(user_id, name)'],
    indexes: ['(name)'],
  }),
  keys: personalKeyTable,
};
export type TokenListSchema = {
  'token_list.tokens': TokenListRow;
  'token_list.names': TokenNameRow;
};
