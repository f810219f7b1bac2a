import { z } from 'zod';
import { idField } from './fields.ts';
import { maxGroupLength } from './limits.ts';

/** What the owner sets. Lists come as text: models by comma, addresses one per line. */
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

/** POST /api/token/ */
export const createTokenBody = z.object(terms);

/** PUT /api/token/. Absent terms fall back to none, as a form sends all of them; but for limits of calls. */
export const changeTokenBody = z.object({
  ...terms,
  id: idField,
  status: z.number().int().nullish(),
});

/** PUT /api/token/?status_only=true. 1 enabled, 2 disabled. */
export const tokenStatusBody = z.object({
  id: idField,
  status: z.union([z.literal(1), z.literal(2)]),
});

export const tokenChangeQuery = z.object({ status_only: z.string().optional() });
