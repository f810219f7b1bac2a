import {
  BankAccount,
  Barcode,
  Book,
  Chat,
  Cog,
  Dashboard,
  Endorsed,
  Exchange,
  EyeOpen,
  History,
  Key,
  Layers,
  Media,
  Music,
  People,
  Satellite,
  Settings,
  Time,
} from '@blueprintjs/icons';
import type { ComponentType, ReactElement } from 'react';
import type { texts } from '../locales/zh/index.ts';
import type { PathName } from '../shared/paths.ts';

type TextAfter<Prefix extends string> = keyof (typeof texts)['shell'] extends infer Key
  ? Key extends `${Prefix}.${infer Rest}`
    ? Rest
    : never
  : never;

/** Entry of the sidebar; entries of a group stand in the order of the table below. */
type SidebarEntry = Readonly<{
  group: 'top' | TextAfter<'group'>;
  text: TextAfter<'nav'>;
  icon: ReactElement;
  /** Others reach the screen by their own menu. */
  isForAdmins?: boolean;
  /** Shown only while the site has this switched on. */
  needs?: 'enable_data_export' | 'enable_drawing' | 'enable_task';
}>;

export type Screen = Readonly<{
  /** The server checks every call as well; this decides which guard the router puts in front. */
  access: 'public' | 'user' | 'admin';
  /** Each screen is a script of its own, fetched when it is first opened. */
  load: () => Promise<ComponentType>;
  /** `linked`: by other screens. `external`: from a mail, a login provider or typed by hand. */
  entry: SidebarEntry | 'linked' | 'external';
  /** Optional route parameter behind the path. */
  parameter?: `:${string}?`;
  /** Addresses below the path that keep the screen mounted, so that a list stays behind its drawer. */
  drawers?: readonly string[];
}>;

const oauthReturn = () => import('../features/account/screens/oauth-return.tsx');

/** Every screen: the router and the sidebar are built from this table, `PathName` makes it complete. */
export const screens = {
  home: {
    access: 'public',
    load: async () => (await import('../features/home/screens/home.tsx')).Home,
    entry: 'linked',
  },
  about: {
    access: 'public',
    load: async () => (await import('../features/about/screens/about.tsx')).About,
    entry: 'linked',
  },
  pricing: {
    access: 'public',
    load: async () => (await import('../features/pricing/screens/pricing.tsx')).PricingScreen,
    entry: 'linked',
  },
  setup: {
    access: 'public',
    load: async () => (await import('../features/setup/screens/setup.tsx')).Setup,
    entry: 'linked',
  },
  login: {
    access: 'public',
    load: async () => (await import('../features/account/screens/login.tsx')).Login,
    entry: 'linked',
  },
  register: {
    access: 'public',
    load: async () => (await import('../features/account/screens/register.tsx')).Register,
    entry: 'linked',
  },
  reset: {
    access: 'public',
    load: async () => (await import('../features/account/screens/reset.tsx')).Reset,
    entry: 'linked',
  },
  userReset: {
    access: 'public',
    load: async () => (await import('../features/account/screens/confirm-reset.tsx')).ConfirmReset,
    entry: 'external',
  },
  oauthGitHub: {
    access: 'public',
    load: async () => (await oauthReturn()).GitHubReturn,
    entry: 'external',
  },
  oauthOidc: {
    access: 'public',
    load: async () => (await oauthReturn()).OidcReturn,
    entry: 'external',
  },
  oauthLinuxDo: {
    access: 'public',
    load: async () => (await oauthReturn()).LinuxDoReturn,
    entry: 'external',
  },

  playground: {
    access: 'user',
    load: async () => (await import('../features/playground/screens/playground.tsx')).Playground,
    entry: { group: 'top', text: 'playground', icon: <Chat /> },
  },
  chat: {
    access: 'user',
    load: async () => (await import('../features/chat/screens/chat.tsx')).Chat,
    entry: 'linked',
    parameter: ':chatId?',
  },
  chatRedirect: {
    access: 'user',
    load: async () => (await import('../features/chat/screens/chat-redirect.tsx')).ChatRedirect,
    entry: 'external',
  },
  dashboard: {
    access: 'user',
    load: async () => (await import('../features/dashboard/screens/dashboard.tsx')).Dashboard,
    entry: {
      group: 'console',
      text: 'dashboard',
      icon: <Dashboard />,
      needs: 'enable_data_export',
    },
  },
  token: {
    access: 'user',
    load: async () => (await import('../features/token/screens/tokens.tsx')).Tokens,
    entry: { group: 'console', text: 'token', icon: <Key /> },
  },
  log: {
    access: 'user',
    load: async () => (await import('../features/usage-log/screens/log.tsx')).UsageLog,
    entry: { group: 'console', text: 'log', icon: <History /> },
  },
  drawing: {
    access: 'user',
    load: async () => (await import('../features/drawing/screens/drawings.tsx')).Drawings,
    entry: { group: 'console', text: 'drawing', icon: <Media />, needs: 'enable_drawing' },
  },
  task: {
    access: 'user',
    load: async () => (await import('../features/task/screens/tasks.tsx')).Tasks,
    entry: { group: 'console', text: 'task', icon: <Music />, needs: 'enable_task' },
  },
  ledger: {
    access: 'user',
    load: async () => (await import('../features/ledger/screens/ledger.tsx')).Ledger,
    entry: { group: 'console', text: 'ledger', icon: <Book /> },
    parameter: ':userId?',
  },

  channel: {
    access: 'admin',
    load: async () => (await import('../features/channel/screens/channels.tsx')).Channels,
    entry: { group: 'admin', text: 'channel', icon: <Satellite /> },
    drawers: ['add', 'edit/:channelId'],
  },
  redemption: {
    access: 'admin',
    load: async () => (await import('../features/redemption/screens/redemptions.tsx')).Redemptions,
    entry: { group: 'admin', text: 'redemption', icon: <Barcode /> },
  },
  user: {
    access: 'admin',
    load: async () => (await import('../features/user/screens/users.tsx')).Users,
    entry: { group: 'admin', text: 'user', icon: <People /> },
    drawers: ['edit/:userId'],
  },
  audit: {
    access: 'user',
    load: async () => (await import('../features/audit/screens/audit.tsx')).Audit,
    entry: { group: 'admin', text: 'audit', icon: <EyeOpen />, isForAdmins: true },
  },
  setting: {
    access: 'admin',
    load: async () => (await import('../features/setting/screens/settings.tsx')).Settings,
    entry: { group: 'admin', text: 'setting', icon: <Settings /> },
  },

  projections: {
    access: 'admin',
    load: async () => (await import('../features/projections/screens/projections.tsx')).Projections,
    entry: { group: 'operations', text: 'projections', icon: <Layers /> },
  },
  jobs: {
    access: 'admin',
    load: async () => (await import('../features/job/screens/jobs.tsx')).Jobs,
    entry: { group: 'operations', text: 'jobs', icon: <Time /> },
  },
  verify: {
    access: 'admin',
    load: async () => (await import('../features/verify/screens/verify.tsx')).Verify,
    entry: { group: 'operations', text: 'verify', icon: <Endorsed /> },
  },
  reconciliation: {
    access: 'admin',
    load: async () => (await import('../features/reconciliation/screens/payments.tsx')).Payments,
    entry: { group: 'operations', text: 'reconciliation', icon: <Exchange /> },
  },

  ownProfile: {
    access: 'user',
    load: async () => (await import('../features/user/screens/own-profile.tsx')).OwnProfile,
    entry: 'external',
  },
  wallet: {
    access: 'user',
    load: async () => (await import('../features/wallet/screens/wallet.tsx')).Wallet,
    entry: { group: 'personal', text: 'wallet', icon: <BankAccount /> },
  },
  personal: {
    access: 'user',
    load: async () => (await import('../features/personal/screens/personal.tsx')).Personal,
    entry: { group: 'personal', text: 'personal', icon: <Cog /> },
  },
} as const satisfies Readonly<Record<PathName, Screen>>;
