import { z } from 'zod';
import {
  displayNameField,
  idField,
  passwordField,
  quotaField,
  reasonText,
  usernameField,
} from './fields.ts';
import { maxGroupLength } from './limits.ts';
import { route } from './route.ts';
import { signInAnswer } from './second-factor.ts';

/** An empty text means "leave it as it is". */
const keepWhenEmpty = <T>(field: z.ZodType<T>) => z.union([z.literal(''), field]).nullish();

/** The proof of the human check, where the site wants one. */
const humanQuery = z.object({ turnstile: z.string().optional() });

/** `password2` is compared when it is sent. */
const registerBody = z.object({
  username: usernameField,
  password: passwordField,
  password2: z.string().optional(),
  email: z.string().trim().max(50).optional(),
  verification_code: z.string().optional(),
  aff_code: z.string().trim().max(32).nullish(),
});
export type RegisterBody = Readonly<z.infer<typeof registerBody>>;

export const sessionApi = {
  'POST /api/user/login': route('public', 'Signs in with a password.', {
    query: humanQuery,
    /** `username` may be an e-mail address. */
    body: z.object({
      username: z.string().trim().min(1).max(64),
      password: z.string().min(1).max(256),
    }),
    data: signInAnswer,
    guards: ['rate-limited', 'human', 'json-only'],
  }),
  'GET /api/user/logout': route('public', 'Signs out.', { guards: ['no-cross-site'] }),
  'POST /api/user/register': route('public', 'Creates an account.', {
    query: humanQuery,
    body: registerBody,
    guards: ['rate-limited', 'human', 'json-only'],
  }),
};

const addressText = z.string().trim().max(254);
const addressQuery = humanQuery.extend({ email: addressText.default('') });

export const emailApi = {
  'GET /api/verification': route('public', 'Mails a code to an address.', {
    query: addressQuery,
    guards: ['rate-limited', 'human', 'no-cross-site'],
  }),
  'GET /api/reset_password': route('public', 'Mails a link that resets the password.', {
    query: addressQuery,
    guards: ['rate-limited', 'human', 'no-cross-site'],
  }),
  'POST /api/user/reset': route('public', 'Resets the password; returns the new one.', {
    body: z.object({ email: addressText.min(1), token: z.string().trim().min(1).max(64) }),
    data: z.string(),
    guards: ['rate-limited', 'json-only'],
  }),
  'GET /api/oauth/email/bind': route('user', 'Links an address.', {
    query: z.object({
      email: addressText.default(''),
      code: z.string().trim().max(64).default(''),
    }),
    guards: ['rate-limited', 'no-cross-site'],
  }),
};

/** `quota_warning_threshold` in quota units. An empty secret keeps the old. */
const userSettingBody = z.object({
  notify_type: z.enum(['email', 'webhook']),
  quota_warning_threshold: z.number().positive().max(Number.MAX_SAFE_INTEGER),
  webhook_url: z.string().trim().max(2_048).nullish(),
  webhook_secret: z.string().max(512).nullish(),
  notification_email: z.string().trim().max(254).nullish(),
  accept_unset_model_ratio_model: z.boolean().nullish(),
});
export type UserSettingBody = Readonly<z.infer<typeof userSettingBody>>;

export const selfApi = {
  'PUT /api/user/self': route('user', 'Changes the own name or password.', {
    /** A new password needs `original_password`. */
    body: z.object({
      username: z.string().trim().max(64).nullish(),
      display_name: keepWhenEmpty(displayNameField),
      password: keepWhenEmpty(passwordField),
      original_password: z.string().max(256).nullish(),
    }),
  }),
  'DELETE /api/user/self': route('user', 'Deletes the own account.', {}),
  'DELETE /api/user/sessions/:id': route('user', 'Ends one of the own sessions.', {
    params: z.object({ id: z.string().min(1).max(64) }),
  }),
  'DELETE /api/user/sessions': route('user', 'Ends the own sessions.', {
    /** `keep_current`: all but the session of this call. */
    query: z.object({ keep_current: z.enum(['true', 'false']).optional() }),
  }),
  'GET /api/user/token': route('user', 'Issues an access token in place of the old one.', {
    data: z.string(),
    guards: ['no-cross-site'],
  }),
  'PUT /api/user/setting': route('user', 'Changes the own notification settings.', {
    body: userSettingBody,
  }),
  'POST /api/user/aff_transfer': route('user', 'Transfers a referral reward to the balance.', {
    body: z.object({ quota: quotaField.min(1) }),
  }),
};

/**
 * What is absent stays. `quota` in units is the new balance, apart from what was charged since the record
 * was read: its `used_quota` shows how much that is, or `quota_seen`, the balance that the form showed.
 * `reason` is stored in the ledger of the user.
 */
const editUserBody = z.object({
  id: idField,
  username: z.string().trim().max(64).nullish(),
  display_name: keepWhenEmpty(displayNameField),
  password: keepWhenEmpty(passwordField),
  group: z.string().trim().max(maxGroupLength).nullish(),
  quota: z.number().int().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER).nullish(),
  quota_seen: z.number().int().nullish(),
  used_quota: z.number().int().nullish(),
  role: z.number().int().nullish(),
  reason: reasonText,
});
export type EditUserBody = z.infer<typeof editUserBody>;

const userAction = z.enum([
  'promote',
  'demote',
  'disable',
  'enable',
  'delete',
  'end_sessions',
  'remove_second_factors',
]);
export type UserAction = z.infer<typeof userAction>;

export const userAdminApi = {
  'POST /api/user/': route('admin', 'Creates a user.', {
    /** `role` is only compared with the caller's own. */
    body: z.object({
      username: usernameField,
      password: passwordField,
      display_name: keepWhenEmpty(displayNameField),
      role: z.number().int().nullish(),
    }),
  }),
  'PUT /api/user/': route('admin', 'Changes a user and their balance.', { body: editUserBody }),
  'POST /api/user/manage': route('admin', 'Bans, promotes, deletes a user, and so on.', {
    /** `remove_second_factors` needs a `reason`. */
    body: z.object({ id: idField, action: userAction, reason: reasonText }),
    data: z.object({ role: z.number().int(), status: z.number().int() }),
  }),
};
