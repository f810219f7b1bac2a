import { z } from 'zod';
import { nameList, pageOf } from './envelope.ts';
import { idParams, pageQuery, userSearchQuery } from './query.ts';
import { route } from './route.ts';

/** Quota fields in quota units. Write-only and secret fields are always blank. */
const userRow = z.object({
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
  /** RFC 3339, null for existing users. */
  DeletedAt: z.string().nullable(),
  /** JSON text of `userSetting`, "" when never saved. */
  setting: z.string(),
  /** There is an authenticator app or a passkey. */
  second_factor: z.boolean(),
});
export type UserRow = z.infer<typeof userRow>;

/** The account of the caller, and what applies where they saved nothing. */
const selfRow = userRow.extend({
  /** Quota units: below it a person without a threshold of their own is warned. */
  quota_remind_threshold: z.number().int(),
});
export type SelfRow = z.infer<typeof selfRow>;

/**
 * Inside `setting`. Secrets are never returned; `webhook_secret_set` shows whether there is one.
 */
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

/** Times are Unix seconds. */
const userSession = z.object({
  id: z.string(),
  /** How the person signed in: `password`, or the login provider. */
  method: z.string(),
  /** Browser and system; "" when the client sent none. */
  device: z.string(),
  address: z.string(),
  opened_at: z.number().int(),
  /** To the minute; `opened_at` when it is not recorded. */
  last_used_at: z.number().int(),
  /** The requesting session. */
  current: z.boolean(),
});
export type UserSession = z.infer<typeof userSession>;

const factorTimes = { added_at: z.number().int(), used_at: z.number().int() };
/** Times are Unix seconds; `used_at` 0: never. */
const secondFactorList = z.object({
  totp: z.object(factorTimes).nullable(),
  passkeys: z.array(z.object({ id: z.string(), name: z.string(), ...factorTimes })),
  recovery_codes_left: z.number().int(),
  /** The site demands one of this person, whether there is one or not. */
  required: z.boolean(),
});
export type SecondFactorList = z.infer<typeof secondFactorList>;

const userPage = pageOf(userRow);
export type UserPage = z.infer<typeof userPage>;

/** Group → ratio and description. */
const userGroups = z.record(z.string(), z.object({ ratio: z.number(), desc: z.string() }));
export type UserGroups = z.infer<typeof userGroups>;

export const userApi = {
  'GET /api/user/self': route('user', 'Returns the own account.', { data: selfRow }),
  'GET /api/user/self/groups': route('user', 'Lists the groups that the caller may use.', {
    data: userGroups,
  }),
  'GET /api/user/aff': route('user', 'Returns the own referral code.', { data: z.string() }),
  'GET /api/user/': route('admin', 'Lists users.', { query: pageQuery, data: userPage }),
  'GET /api/user/search': route('admin', 'Finds users.', {
    query: userSearchQuery,
    data: userPage,
  }),
  'GET /api/user/:id': route('admin', 'Returns a user.', { params: idParams, data: userRow }),
  'GET /api/group/': route('admin', 'Lists the groups that have a ratio.', { data: nameList }),
};

export const sessionApi = {
  'GET /api/user/sessions': route('user', 'Lists where the caller is signed in, newest first.', {
    data: z.array(userSession),
  }),
};

export const secondFactorApi = {
  'GET /api/user/second_factors': route('user', 'Lists the own second factors.', {
    data: secondFactorList,
  }),
};
