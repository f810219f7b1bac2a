import { z } from 'zod';

const oauthProvider = z.enum(['github', 'oidc', 'linuxdo']);
/** What a provider hands to the browser. */
const handedText = z.string().max(4_096).default('');

/**
 * GET /api/oauth/state. `aff`: who invited. With a `provider` the answer also carries
 * `authorize_url`, where the browser goes; OIDC needs it, as the address holds nonce and challenge.
 */
export const loginStateQuery = z.object({
  aff: z.string().trim().max(32).optional(),
  provider: oauthProvider.optional(),
});

/** GET /api/oauth/github, GET /api/oauth/oidc, GET /api/oauth/linuxdo: the query as it came back. */
export const loginReturnQuery = z.object({
  code: handedText,
  state: handedText,
  iss: handedText,
  error: handedText,
  error_description: handedText,
});

/** GET /api/oauth/wechat, GET /api/oauth/wechat/bind. `aff` counts for new people. */
export const wechatCodeQuery = z.object({
  code: z.string().trim().max(64).default(''),
  aff: z.string().trim().max(32).optional(),
});

const telegramText = z.string().max(1_024).optional();

/** GET /api/oauth/telegram/login, GET /api/oauth/telegram/bind: the fields of the widget. */
export const telegramQuery = z.object({
  id: telegramText,
  first_name: telegramText,
  last_name: telegramText,
  username: telegramText,
  photo_url: telegramText,
  /** Unix seconds. */
  auth_date: telegramText,
  hash: telegramText,
});

/** DELETE /api/user/self/identity/{provider} */
export const identityInPath = z.object({
  provider: z.enum(['email', 'github', 'oidc', 'wechat', 'telegram', 'linuxdo']),
});

/** POST /api/option/oidc_discovery */
export const oidcDiscoveryBody = z.object({ well_known: z.string().trim().max(1_000) });
