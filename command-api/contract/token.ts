import { z } from 'zod';
import { idField, idInPath, statusField, statusOnlyQuery } from './fields.ts';
import { maxGroupLength } from './limits.ts';
import { route } from './route.ts';

/** The owner's settings. Lists are texts: models by comma, addresses one per line. */
const terms = {
  name: z.string().trim().max(200),
  /** Quota units. */
  remain_quota: z.number().int().nullish(),
  /** Balance that the form showed, in units: spending since then is not given back. */
  remain_quota_seen: z.number().int().nullish(),
  /** Unix seconds; -1 or 0: never. */
  expired_time: z.number().int().nullish(),
  unlimited_quota: z.boolean().nullish(),
  model_limits_enabled: z.boolean().nullish(),
  model_limits: z.string().nullish(),
  allow_ips: z.string().nullish(),
  group: z.string().trim().max(maxGroupLength).nullish(),
  /** 0: no limit. Absent: as it was. */
  requests_per_minute: z.number().int().min(0).nullish(),
  tokens_per_minute: z.number().int().min(0).nullish(),
  concurrent_requests: z.number().int().min(0).nullish(),
};

const tokenRecord = z.object({
  id: z.number().int(),
  user_id: z.number().int(),
  key: z.string(),
  name: z.string(),
  /** 1 enabled, 2 disabled, 3 expired, 4 exhausted. */
  status: z.number().int(),
  created_time: z.number().int(),
  accessed_time: z.number().int(),
  expired_time: z.number().int(),
  remain_quota: z.number().int(),
  used_quota: z.number().int(),
  unlimited_quota: z.boolean(),
  model_limits_enabled: z.boolean(),
  model_limits: z.string(),
  allow_ips: z.string(),
  group: z.string(),
  requests_per_minute: z.number().int(),
  tokens_per_minute: z.number().int(),
  concurrent_requests: z.number().int(),
  DeletedAt: z.null(),
});

export const tokenApi = {
  'POST /api/token/': route('user', 'Creates a token.', { body: z.object(terms) }),
  /** Absent terms fall back to none, as a form sends all of them; but for limits of calls. */
  'PUT /api/token/': route('user', 'Changes a token; with `status_only` its status.', {
    query: statusOnlyQuery,
    body: z.object({ ...terms, id: idField, status: z.number().int().nullish() }),
    statusBody: z.object({ id: idField, status: statusField }),
    data: tokenRecord.nullable(),
  }),
  'DELETE /api/token/:id': route('user', 'Deletes a token.', { params: idInPath }),
};
