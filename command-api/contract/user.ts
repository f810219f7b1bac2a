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

/** An empty text means "leave it as it is". */
const keepWhenEmpty = <T>(field: z.ZodType<T>) => z.union([z.literal(''), field]).nullish();

/** POST /api/user/login. `username` may be an e-mail address. */
export const loginBody = z.object({
  username: z.string().trim().min(1).max(64),
  password: z.string().min(1).max(256),
});

/** POST /api/user/register. `password2` is compared when it is sent. */
export const registerBody = z.object({
  username: usernameField,
  password: passwordField,
  password2: z.string().optional(),
  email: z.string().trim().max(50).optional(),
  verification_code: z.string().optional(),
  aff_code: z.string().trim().max(32).nullish(),
});

const addressText = z.string().trim().max(254);

/** GET /api/verification, GET /api/reset_password */
export const addressQuery = z.object({ email: addressText.default('') });

/** POST /api/user/reset */
export const confirmResetBody = z.object({
  email: addressText.min(1),
  token: z.string().trim().min(1).max(64),
});

/** GET /api/oauth/email/bind */
export const bindAddressQuery = z.object({
  email: addressText.default(''),
  code: z.string().trim().max(64).default(''),
});

/** PUT /api/user/self. A new password needs `original_password`. */
export const changeSelfBody = z.object({
  username: z.string().trim().max(64).nullish(),
  display_name: keepWhenEmpty(displayNameField),
  password: keepWhenEmpty(passwordField),
  original_password: z.string().max(256).nullish(),
});

/** POST /api/user/. `role` is only compared with the caller's own. */
export const createUserBody = z.object({
  username: usernameField,
  password: passwordField,
  display_name: keepWhenEmpty(displayNameField),
  role: z.number().int().nullish(),
});

/**
 * PUT /api/user/. What is absent stays. `quota` in units is what the balance is to be, beside what
 * was charged since the record was read: its `used_quota` tells how much that is, or `quota_seen`,
 * the balance that the form showed. `reason` stands in the ledger of the user.
 */
export const editUserBody = z.object({
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

/** POST /api/user/manage. `remove_second_factors` needs a `reason`. */
export const manageUserBody = z.object({
  id: idField,
  action: z.enum([
    'promote',
    'demote',
    'disable',
    'enable',
    'delete',
    'end_sessions',
    'remove_second_factors',
  ]),
  reason: reasonText,
});

/** DELETE /api/user/sessions/:id */
export const sessionInPath = z.object({ id: z.string().min(1).max(64) });

/** DELETE /api/user/sessions. `keep_current` lets the session that asks go on. */
export const endSessionsQuery = z.object({ keep_current: z.enum(['true', 'false']).optional() });

/** PUT /api/user/setting. `quota_warning_threshold` in quota units. An empty secret keeps the old. */
export const userSettingBody = z.object({
  notify_type: z.enum(['email', 'webhook']),
  quota_warning_threshold: z.number().positive().max(Number.MAX_SAFE_INTEGER),
  webhook_url: z.string().trim().max(2_048).nullish(),
  webhook_secret: z.string().max(512).nullish(),
  notification_email: z.string().trim().max(254).nullish(),
  accept_unset_model_ratio_model: z.boolean().nullish(),
});

/** POST /api/user/aff_transfer. `quota` in units. */
export const affTransferBody = z.object({ quota: quotaField.min(1) });
