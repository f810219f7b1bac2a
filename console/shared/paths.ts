/** Every address of the console. */
export const paths = {
  home: '/',
  about: '/about',
  setup: '/setup',
  login: '/login',
  register: '/register',
  token: '/token',
  log: '/log',
  ledger: '/ledger',
  audit: '/audit',
  projections: '/projections',
  verify: '/verify',
  redemption: '/redemption',
  wallet: '/topup',
  setting: '/setting',
  playground: '/playground',
  channel: '/channel',
  channelAdd: '/channel/add',
  user: '/user',
  personal: '/personal',
} as const;

export const ledgerOf = (userId: number): string => `${paths.ledger}/${userId}`;
export const channelEdit = (channelId: number): string => `${paths.channel}/edit/${channelId}`;
