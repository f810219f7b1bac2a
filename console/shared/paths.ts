/** Every address of the console; `app/screens.tsx` has the screen of each. */
export const paths = {
  home: '/',
  about: '/about',
  setup: '/setup',
  login: '/login',
  pricing: '/pricing',
  reset: '/reset',
  userReset: '/user/reset',
  dashboard: '/detail',
  chat: '/chat',
  chatRedirect: '/chat2link',
  register: '/register',
  oauthGitHub: '/oauth/github',
  oauthOidc: '/oauth/oidc',
  oauthLinuxDo: '/oauth/linuxdo',
  token: '/token',
  log: '/log',
  drawing: '/midjourney',
  task: '/task',
  ledger: '/ledger',
  audit: '/audit',
  projections: '/projections',
  jobs: '/jobs',
  verify: '/verify',
  reconciliation: '/reconciliation',
  redemption: '/redemption',
  wallet: '/topup',
  setting: '/setting',
  playground: '/playground',
  channel: '/channel',
  user: '/user',
  ownProfile: '/user/edit',
  personal: '/personal',
} as const;

export type PathName = keyof typeof paths;

/** A configured chat site, by its index in the list. */
export const chatOf = (index: number): string => `${paths.chat}/${index}`;
export const ledgerOf = (userId: number): string => `${paths.ledger}/${userId}`;
/** A call in the usage log, by its request id. */
export const callOf = (requestId: string): string => `${paths.log}?call=${requestId}`;
export const userEdit = (userId: number): string => `${paths.ownProfile}/${userId}`;
export const channelAdd = `${paths.channel}/add`;
export const channelEdit = (channelId: number): string => `${paths.channel}/edit/${channelId}`;
