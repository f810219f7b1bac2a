/** `visitor`: signed in or not; `user`: signed in; `admin`: role 10 and up; `token`: an API key. */
export type Access = 'public' | 'visitor' | 'user' | 'admin' | 'token';

/** Who may read what: every route of the read side. A route that is not here cannot be registered. */
export const routeAccess = {
  'GET /api/status': 'public',
  'GET /api/setup': 'public',
  'GET /api/status/test': 'admin',
  'GET /api/notice': 'public',
  'GET /api/about': 'public',
  'GET /api/home_page_content': 'public',
  'GET /api/pricing': 'visitor',

  'GET /api/user/self': 'user',
  'GET /api/user/sessions': 'user',
  'GET /api/user/second_factors': 'user',
  'GET /api/user/models': 'user',
  'GET /api/user/self/groups': 'user',
  'GET /api/user/aff': 'user',
  'GET /api/user/': 'admin',
  'GET /api/user/search': 'admin',
  'GET /api/user/:id': 'admin',
  'GET /api/group/': 'admin',
  'GET /api/models': 'user',

  'GET /api/channel/': 'admin',
  'GET /api/channel/search': 'admin',
  'GET /api/channel/models': 'admin',
  'GET /api/channel/models_enabled': 'admin',
  'GET /api/channel/types': 'admin',
  'GET /api/channel/:id': 'admin',

  'GET /api/token/': 'user',
  'GET /api/token/search': 'user',
  'GET /api/token/:id': 'user',

  'GET /api/option/': 'admin',

  'GET /api/log/': 'admin',
  'GET /api/log/export': 'admin',
  'GET /api/log/stat': 'admin',
  'GET /api/log/find': 'admin',
  'GET /api/log/self': 'user',
  'GET /api/log/self/find': 'user',
  'GET /api/log/self/export': 'user',
  'GET /api/log/self/stat': 'user',
  'GET /api/log/token': 'token',
  'GET /api/data/': 'admin',
  'GET /api/data/self': 'user',
  'GET /api/data/overview': 'admin',
  'GET /api/data/self/overview': 'user',
  'GET /api/data/channels': 'admin',
  'GET /api/data/margin': 'admin',

  'GET /v1/dashboard/billing/subscription': 'token',
  'GET /v1/dashboard/billing/usage': 'token',
  'GET /dashboard/billing/subscription': 'token',
  'GET /dashboard/billing/usage': 'token',

  'GET /api/redemption/': 'admin',
  'GET /api/redemption/search': 'admin',
  'GET /api/redemption/:id': 'admin',

  'GET /api/topup/': 'admin',
  'GET /api/topup/self': 'user',
  'GET /api/topup/reconciliation': 'admin',

  'GET /api/dead_letter/': 'admin',
  'GET /api/dead_letter/:id': 'admin',

  'GET /api/mj/': 'admin',
  'GET /api/mj/self': 'user',
  'GET /api/task/': 'admin',
  'GET /api/task/self': 'user',

  'GET /api/ledger/self': 'user',
  'GET /api/ledger/self/export': 'user',
  'GET /api/ledger/self/balances': 'user',
  'GET /api/ledger/:userId': 'user',
  'GET /api/ledger/:userId/export': 'user',

  'GET /api/audit': 'admin',
  'GET /api/audit/export': 'admin',
  'GET /api/audit/self': 'user',
  // A re-pricing is a dry run.
  'POST /api/audit/reprice': 'admin',
  'POST /api/data/price_preview': 'admin',

  // Verifying writes nothing, so it is a matter of the read side.
  'POST /api/verify': 'admin',
  'GET /api/verify': 'admin',

  // Says that something has moved, never what.
  'GET /api/live': 'user',

  'GET /api/projections': 'admin',
  'GET /api/projections/lag': 'admin',
  // A rebuild changes nothing that was ever true, so it is a matter of the read side.
  'POST /api/projections/:name/rebuild': 'admin',
} as const satisfies Readonly<Record<`${'GET' | 'POST'} /${string}`, Access>>;

export type RouteKey = keyof typeof routeAccess;
