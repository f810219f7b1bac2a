import { z } from 'zod';
import { tokenStates } from './codes.ts';
import { idParams, tokenListQuery, tokenSearchQuery } from './query.ts';
import { route } from './route.ts';

/** Quota in quota units, times in Unix seconds. */
const tokenRow = z.object({
  id: z.number().int(),
  user_id: z.number().int(),
  /** 48 characters, without `sk-`; only its owner sees it. */
  key: z.string(),
  status: z.literal(Object.values(tokenStates)),
  name: z.string(),
  created_time: z.number().int(),
  accessed_time: z.number().int(),
  /** -1: never. */
  expired_time: z.number().int(),
  /** Counts down with every charge, of unlimited tokens too. */
  remain_quota: z.number().int(),
  unlimited_quota: z.boolean(),
  used_quota: z.number().int(),
  model_limits_enabled: z.boolean(),
  /** Comma list. */
  model_limits: z.string(),
  /** One address per line, "" for all. */
  allow_ips: z.string(),
  group: z.string(),
  /** 0: no limit. */
  requests_per_minute: z.number().int(),
  tokens_per_minute: z.number().int(),
  /** Calls at the same time; 0: no limit. */
  concurrent_requests: z.number().int(),
  DeletedAt: z.null(),
});
export type TokenRow = z.infer<typeof tokenRow>;

const tokenList = z.array(tokenRow);

export const tokenApi = {
  'GET /api/token/': route('user', 'Lists the own tokens; pages from 0.', {
    query: tokenListQuery,
    data: tokenList,
  }),
  'GET /api/token/search': route('user', 'Finds own tokens.', {
    query: tokenSearchQuery,
    data: tokenList,
  }),
  'GET /api/token/:id': route('user', 'Returns an own token.', {
    params: idParams,
    data: tokenRow,
  }),
};
