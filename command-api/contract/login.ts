import { z } from 'zod';
import { route } from './route.ts';
import { signInAnswer } from './second-factor.ts';

const oauthProvider = z.enum(['github', 'oidc', 'linuxdo']);
/** What a provider hands to the browser. */
const handedText = z.string().max(4_096).default('');

/** The query as it came back from the provider. */
const loginReturnQuery = z.object({
  code: handedText,
  state: handedText,
  iss: handedText,
  error: handedText,
  error_description: handedText,
});
export type LoginReturn = Readonly<z.infer<typeof loginReturnQuery>>;

/** `aff` counts for new people. */
const wechatCodeQuery = z.object({
  code: z.string().trim().max(64).default(''),
  aff: z.string().trim().max(32).optional(),
});

const telegramText = z.string().max(1_024).optional();
/** The fields of the widget. */
const telegramQuery = z.object({
  id: telegramText,
  first_name: telegramText,
  last_name: telegramText,
  username: telegramText,
  photo_url: telegramText,
  /** Unix seconds. */
  auth_date: telegramText,
  hash: telegramText,
});

const guards = ['rate-limited', 'no-cross-site'] as const;
/** Without data where a signed-in person has linked the account; `message` is `bind` then. */
const oauthReturn = {
  query: loginReturnQuery,
  data: signInAnswer.optional(),
  guards: [...guards, 'login-return'],
} as const;

export const oauthApi = {
  'GET /api/oauth/state': route('public', 'Starts a login; returns its state.', {
    /** `aff`: who invited. OIDC needs `provider`, as the address holds nonce and challenge. */
    query: z.object({
      aff: z.string().trim().max(32).optional(),
      provider: oauthProvider.optional(),
    }),
    data: z.string(),
    /** Where the browser goes, with a `provider`. */
    extra: z.object({ authorize_url: z.string().optional() }),
    guards,
  }),
  'GET /api/oauth/github': route('public', 'Signs in with GitHub, or links it.', oauthReturn),
  'GET /api/oauth/oidc': route('public', 'Signs in with OpenID Connect, or links it.', oauthReturn),
  'GET /api/oauth/linuxdo': route('public', 'Signs in with LINUX DO, or links it.', oauthReturn),
};

export const wechatApi = {
  'GET /api/oauth/wechat': route('public', 'Signs in with a code of WeChat.', {
    query: wechatCodeQuery,
    data: signInAnswer,
    guards,
  }),
  'GET /api/oauth/wechat/bind': route('user', 'Links a WeChat account.', {
    query: wechatCodeQuery,
    guards,
  }),
};

export const telegramApi = {
  'GET /api/oauth/telegram/login': route('public', 'Signs in with Telegram.', {
    query: telegramQuery,
    data: signInAnswer,
    guards,
  }),
  'GET /api/oauth/telegram/bind': route('user', 'Links a Telegram account.', {
    query: telegramQuery,
    redirect: '/setting',
    guards: [...guards, 'login-return'],
  }),
};

export const loginApi = {
  'DELETE /api/user/self/identity/:provider': route('user', 'Unlinks a login.', {
    params: z.object({
      provider: z.enum(['email', 'github', 'oidc', 'wechat', 'telegram', 'linuxdo']),
    }),
  }),
  'POST /api/option/oidc_discovery': route('root', 'Reads the addresses of an OpenID provider.', {
    body: z.object({ well_known: z.string().trim().max(1_000) }),
    data: z.object({
      issuer: z.string(),
      authorization_endpoint: z.string(),
      token_endpoint: z.string(),
      userinfo_endpoint: z.string(),
    }),
  }),
};
