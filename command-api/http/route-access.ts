import type { PersonAccess } from '../../domain/access/roles.ts';

export type Access = 'public' | PersonAccess;

/**
 * Who may call what: every route of the write side. A route that is not here cannot be registered.
 * Paths carry the trailing slash of the collection; both forms are served.
 */
export const routeAccess = {
  'POST /api/setup': 'public',

  'POST /api/user/login': 'public',
  'POST /api/user/login/second_factor': 'public',
  'GET /api/user/logout': 'public',
  'POST /api/user/register': 'public',
  'GET /api/verification': 'public',
  'GET /api/reset_password': 'public',
  'POST /api/user/reset': 'public',
  'GET /api/oauth/state': 'public',
  'GET /api/oauth/github': 'public',
  'GET /api/oauth/oidc': 'public',
  'GET /api/oauth/linuxdo': 'public',
  'GET /api/oauth/wechat': 'public',
  'GET /api/oauth/wechat/bind': 'user',
  'GET /api/oauth/telegram/login': 'public',
  'GET /api/oauth/telegram/bind': 'user',
  'GET /api/oauth/email/bind': 'user',
  'PUT /api/user/self': 'user',
  'DELETE /api/user/self': 'user',
  'DELETE /api/user/sessions': 'user',
  'DELETE /api/user/sessions/:id': 'user',
  'DELETE /api/user/self/identity/:provider': 'user',
  'POST /api/user/second_factors/challenge': 'user',
  'POST /api/user/second_factors/confirm': 'user',
  'POST /api/user/second_factors/totp': 'user',
  'PUT /api/user/second_factors/totp': 'user',
  'DELETE /api/user/second_factors/totp': 'user',
  'POST /api/user/second_factors/passkey_options': 'user',
  'POST /api/user/second_factors/passkeys': 'user',
  'PUT /api/user/second_factors/passkeys/:id': 'user',
  'DELETE /api/user/second_factors/passkeys/:id': 'user',
  'POST /api/user/second_factors/recovery_codes': 'user',
  'GET /api/user/token': 'user',
  'PUT /api/user/setting': 'user',
  'POST /api/user/aff_transfer': 'user',
  'POST /api/user/topup': 'user',
  'POST /api/user/amount': 'user',
  'POST /api/user/pay_lantu': 'user',
  'POST /api/user/pay_lantu_h5': 'user',
  'POST /api/user/pay': 'user',
  'GET /api/user/lantu_status': 'user',
  'GET /api/user/hw_payment_status': 'user',
  'POST /api/user/lantu/notify': 'public',
  'GET /api/user/epay/notify': 'public',
  'POST /api/user/epay/notify': 'public',
  'POST /api/user/': 'admin',
  'PUT /api/user/': 'admin',
  'POST /api/user/manage': 'admin',

  'PUT /api/option/': 'admin',
  'POST /api/option/rest_model_ratio': 'admin',
  'POST /api/option/oidc_discovery': 'root',

  'POST /api/channel/': 'admin',
  'PUT /api/channel/': 'admin',
  'DELETE /api/channel/:id': 'admin',
  'DELETE /api/channel/disabled': 'admin',
  'POST /api/channel/batch': 'admin',
  'POST /api/channel/batch/tag': 'admin',
  'PUT /api/channel/tag': 'admin',
  'POST /api/channel/tag/enabled': 'admin',
  'POST /api/channel/tag/disabled': 'admin',
  'GET /api/channel/test/:id': 'admin',
  'GET /api/channel/test': 'admin',
  'GET /api/channel/update_balance/:id': 'admin',
  'GET /api/channel/update_balance': 'admin',
  'POST /api/channel/fix': 'admin',
  'GET /api/channel/fetch_models/:id': 'admin',
  'POST /api/channel/fetch_models': 'admin',

  'POST /api/token/': 'user',
  'PUT /api/token/': 'user',
  'DELETE /api/token/:id': 'user',

  'DELETE /api/log/': 'admin',
  'POST /api/audit/correction': 'admin',

  'GET /api/jobs': 'admin',
  'POST /api/jobs/:name/run': 'admin',

  'POST /api/redemption/': 'admin',
  'PUT /api/redemption/': 'admin',
  'DELETE /api/redemption/:id': 'admin',
} as const satisfies Readonly<Record<string, Access>>;

export type RouteKey = keyof typeof routeAccess;

/** What logins elsewhere, and addresses in mails, lead a browser to. */
const loginRoutes: readonly RouteKey[] = [
  'GET /api/oauth/state',
  'GET /api/oauth/github',
  'GET /api/oauth/oidc',
  'GET /api/oauth/linuxdo',
  'GET /api/oauth/wechat',
  'GET /api/oauth/wechat/bind',
  'GET /api/oauth/telegram/login',
  'GET /api/oauth/telegram/bind',
  'GET /api/oauth/email/bind',
];

/** Routes that guess at secrets or make accounts; few calls for each client. */
export const criticalRoutes: ReadonlySet<RouteKey> = new Set<RouteKey>([
  'POST /api/setup',
  'POST /api/user/login',
  'POST /api/user/login/second_factor',
  'POST /api/user/register',
  'GET /api/verification',
  'GET /api/reset_password',
  'POST /api/user/reset',
  ...loginRoutes,
]);

/** Routes that want a person in front of the screen, when the operator switched that on. */
export const humanRoutes: ReadonlySet<RouteKey> = new Set<RouteKey>([
  'POST /api/user/login',
  'POST /api/user/register',
  'GET /api/verification',
  'GET /api/reset_password',
]);

/** What a mistake or a stolen session would cost: settings of the super admin, money, keys, people. */
export type Stake = 'root-options' | 'money' | 'keys' | 'people' | 'log' | 'factors';

/**
 * Routes whose effect cannot be taken back, with what is at stake: callers with a second factor are
 * asked for it again. `step-up.ts` says what in the body of some of them makes them sensitive.
 */
export const sensitiveRoutes: ReadonlyMap<RouteKey, Stake> = new Map<RouteKey, Stake>([
  ['PUT /api/option/', 'root-options'],
  ['POST /api/option/oidc_discovery', 'root-options'],
  ['PUT /api/user/', 'money'],
  ['POST /api/audit/correction', 'money'],
  ['POST /api/redemption/', 'money'],
  ['PUT /api/redemption/', 'money'],
  ['POST /api/channel/', 'keys'],
  ['PUT /api/channel/', 'keys'],
  ['POST /api/user/manage', 'people'],
  ['DELETE /api/log/', 'log'],
  ['GET /api/user/token', 'keys'],
  ['POST /api/user/second_factors/totp', 'factors'],
  ['PUT /api/user/second_factors/totp', 'factors'],
  ['DELETE /api/user/second_factors/totp', 'factors'],
  ['POST /api/user/second_factors/passkey_options', 'factors'],
  ['POST /api/user/second_factors/passkeys', 'factors'],
  ['PUT /api/user/second_factors/passkeys/:id', 'factors'],
  ['DELETE /api/user/second_factors/passkeys/:id', 'factors'],
  ['POST /api/user/second_factors/recovery_codes', 'factors'],
]);

/** Routes that services outside call with a form instead of JSON. */
export const formRoutes: ReadonlySet<RouteKey> = new Set<RouteKey>([
  'POST /api/user/lantu/notify',
  'POST /api/user/epay/notify',
]);

/**
 * GET routes that write, send a mail or ask a service outside: no page of another site may let a
 * browser call them, as with every other method.
 */
export const writingGets: ReadonlySet<RouteKey> = new Set<RouteKey>([
  'GET /api/user/logout',
  'GET /api/verification',
  'GET /api/reset_password',
  ...loginRoutes,
  'GET /api/user/token',
  'GET /api/user/lantu_status',
  'GET /api/user/hw_payment_status',
  'GET /api/channel/test/:id',
  'GET /api/channel/test',
  'GET /api/channel/update_balance/:id',
  'GET /api/channel/update_balance',
  'GET /api/channel/fetch_models/:id',
]);

/** Where a login provider may lead the whole browser back to; each is protected by its state. */
export const returnRoutes: ReadonlySet<RouteKey> = new Set<RouteKey>([
  'GET /api/oauth/github',
  'GET /api/oauth/oidc',
  'GET /api/oauth/linuxdo',
  'GET /api/oauth/telegram/bind',
]);

/** Routes that services outside call; what they send is signed. */
export const signedRoutes: ReadonlySet<RouteKey> = new Set<RouteKey>([
  'POST /api/user/lantu/notify',
  'GET /api/user/epay/notify',
  'POST /api/user/epay/notify',
]);

/** Routes for everybody that take JSON and nothing that a form of another site could send. */
export const jsonRoutes: ReadonlySet<RouteKey> = new Set<RouteKey>([
  'POST /api/setup',
  'POST /api/user/login',
  'POST /api/user/login/second_factor',
  'POST /api/user/register',
  'POST /api/user/reset',
]);
