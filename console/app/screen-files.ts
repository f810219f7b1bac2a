import { type PathName, paths } from '../shared/paths.ts';

/** Each screen is a separate script, fetched when it is first opened. */
export const screenFiles = {
  home: () => import('../features/home/screens/home.tsx'),
  about: () => import('../features/about/screens/about.tsx'),
  pricing: () => import('../features/pricing/screens/pricing.tsx'),
  setup: () => import('../features/setup/screens/setup.tsx'),
  login: () => import('../features/account/screens/login.tsx'),
  register: () => import('../features/account/screens/register.tsx'),
  reset: () => import('../features/account/screens/reset.tsx'),
  userReset: () => import('../features/account/screens/confirm-reset.tsx'),
  oauthGitHub: () => import('../features/account/screens/oauth-return.tsx'),
  oauthOidc: () => import('../features/account/screens/oauth-return.tsx'),
  oauthLinuxDo: () => import('../features/account/screens/oauth-return.tsx'),
  playground: () => import('../features/playground/screens/playground.tsx'),
  chat: () => import('../features/chat/screens/chat.tsx'),
  chatRedirect: () => import('../features/chat/screens/chat-redirect.tsx'),
  dashboard: () => import('../features/dashboard/screens/dashboard.tsx'),
  token: () => import('../features/token/screens/tokens.tsx'),
  log: () => import('../features/usage-log/screens/log.tsx'),
  drawing: () => import('../features/drawing/screens/drawings.tsx'),
  task: () => import('../features/task/screens/tasks.tsx'),
  ledger: () => import('../features/ledger/screens/ledger.tsx'),
  channel: () => import('../features/channel/screens/channels.tsx'),
  redemption: () => import('../features/redemption/screens/redemptions.tsx'),
  user: () => import('../features/user/screens/users.tsx'),
  audit: () => import('../features/audit/screens/audit.tsx'),
  setting: () => import('../features/setting/screens/settings.tsx'),
  projections: () => import('../features/projections/screens/projections.tsx'),
  jobs: () => import('../features/job/screens/jobs.tsx'),
  verify: () => import('../features/verify/screens/verify.tsx'),
  reconciliation: () => import('../features/reconciliation/screens/payments.tsx'),
  ownProfile: () => import('../features/user/screens/own-profile.tsx'),
  wallet: () => import('../features/wallet/screens/wallet.tsx'),
  personal: () => import('../features/personal/screens/personal.tsx'),
} as const satisfies Record<PathName, () => Promise<object>>;

/**
 * Fetches the script of the screen at an address; the router requests it again, and what it needs.
 */
export const fetchScreenAt = (pathname: string): void => {
  const isAt = (path: string): boolean => pathname === path || pathname.startsWith(`${path}/`);
  const names = Object.keys(screenFiles) as PathName[];
  const [name] = names
    .filter((one) => isAt(paths[one]))
    .toSorted((left, right) => paths[right].length - paths[left].length);
  if (name !== undefined) screenFiles[name]().catch(() => undefined);
};
