import { z } from 'zod';
import { pageOf } from './envelope.ts';

/** Quota fields in quota units. Write-only and secret fields are always blank. */
export const userRow = z.object({
  id: z.number().int(),
  username: z.string(),
  password: z.literal(''),
  display_name: z.string(),
  /** 1 ordinary, 10 admin, 100 super admin. */
  role: z.number().int(),
  /** 1 active, 2 banned. */
  status: z.number().int(),
  email: z.string(),
  github_id: z.string(),
  oidc_id: z.string(),
  wechat_id: z.string(),
  telegram_id: z.string(),
  linux_do_id: z.string(),
  verification_code: z.literal(''),
  access_token: z.null(),
  /** What can be spent; may be below zero. */
  quota: z.number().int(),
  used_quota: z.number().int(),
  request_count: z.number().int(),
  group: z.string(),
  aff_code: z.string(),
  aff_count: z.number().int(),
  aff_quota: z.number().int(),
  aff_history_quota: z.number().int(),
  /** 0: none. */
  inviter_id: z.number().int(),
  /** RFC 3339, null for live users. */
  DeletedAt: z.string().nullable(),
  /** JSON text of `userSetting`, "" when never saved. */
  setting: z.string(),
  /** There is an authenticator app or a passkey. */
  second_factor: z.boolean(),
});
export type UserRow = z.infer<typeof userRow>;

/** GET /api/user/self: the account of the caller, and what holds where they saved nothing. */
export const selfRow = userRow.extend({
  /** Quota units: below it a person without a threshold of their own is warned. */
  quota_remind_threshold: z.number().int(),
});
export type SelfRow = z.infer<typeof selfRow>;

/** Inside `setting`. Secrets are never returned; `webhook_secret_set` says whether there is one. */
export const userSetting = z.object({
  notify_type: z.enum(['email', 'webhook']),
  /** Quota units. */
  quota_warning_threshold: z.number(),
  webhook_url: z.string(),
  webhook_secret_set: z.boolean(),
  notification_email: z.string(),
  accept_unset_model_ratio_model: z.boolean(),
});
export type UserSetting = z.infer<typeof userSetting>;

/** GET /api/user/sessions: where the caller is signed in, newest first. Times are unix seconds. */
const userSession = z.object({
  id: z.string(),
  /** How the person signed in: `password`, or the login provider. */
  method: z.string(),
  /** Browser and system; "" when the client did not say. */
  device: z.string(),
  address: z.string(),
  opened_at: z.number().int(),
  /** To the minute; `opened_at` when it is not known. */
  last_used_at: z.number().int(),
  /** The session that asks. */
  current: z.boolean(),
});
export const userSessions = z.array(userSession);
export type UserSession = z.infer<typeof userSession>;

const factorTimes = { added_at: z.number().int(), used_at: z.number().int() };
/** GET /api/user/second_factors. Times are unix seconds; `used_at` 0: never. */
export const secondFactorList = z.object({
  totp: z.object(factorTimes).nullable(),
  passkeys: z.array(z.object({ id: z.string(), name: z.string(), ...factorTimes })),
  recovery_codes_left: z.number().int(),
  /** The site demands one of this person, whether there is one or not. */
  required: z.boolean(),
});
export type SecondFactorList = z.infer<typeof secondFactorList>;

/** GET /api/user/ and GET /api/user/search */
export const userPage = pageOf(userRow);
export type UserPage = z.infer<typeof userPage>;

/** GET /api/user/self/groups: group → ratio and description. */
export const userGroups = z.record(z.string(), z.object({ ratio: z.number(), desc: z.string() }));
export type UserGroups = z.infer<typeof userGroups>;

/** GET /api/user/models, GET /api/channel/models_enabled, GET /api/group/ */
export const nameList = z.array(z.string());
/** GET /api/user/aff: the caller's referral code. */
export const affCode = z.string();
