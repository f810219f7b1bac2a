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
import { screenFiles } from './screen-files.ts';

type TextAfter<Prefix extends string> = keyof (typeof texts)['shell'] extends infer Key
  ? Key extends `${Prefix}.${infer Rest}`
    ? Rest
    : never
  : never;

/** Entry of the sidebar; entries of a group are in the order of the table below. */
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
  load: () => Promise<ComponentType>;
  /** `linked`: by other screens. `external`: from a mail, a login provider or typed. */
  entry: SidebarEntry | 'linked' | 'external';
  /** Optional route parameter behind the path. */
  parameter?: `:${string}?`;
  /** Addresses below the path that keep the screen mounted, so that a list stays behind its drawer. */
  drawers?: readonly string[];
}>;

/** Every screen: the router and the sidebar are built from this table, `PathName` makes it complete. */
export const screens = {
  home: {
    access: 'public',
    load: async () => (await screenFiles.home()).Home,
    entry: 'linked',
  },
  about: {
    access: 'public',
    load: async () => (await screenFiles.about()).About,
    entry: 'linked',
  },
  pricing: {
    access: 'public',
    load: async () => (await screenFiles.pricing()).PricingScreen,
    entry: 'linked',
  },
  setup: {
    access: 'public',
    load: async () => (await screenFiles.setup()).Setup,
    entry: 'linked',
  },
  login: {
    access: 'public',
    load: async () => (await screenFiles.login()).Login,
    entry: 'linked',
  },
  register: {
    access: 'public',
    load: async () => (await screenFiles.register()).Register,
    entry: 'linked',
  },
  reset: {
    access: 'public',
    load: async () => (await screenFiles.reset()).Reset,
    entry: 'linked',
  },
  userReset: {
    access: 'public',
    load: async () => (await screenFiles.userReset()).ConfirmReset,
    entry: 'external',
  },
  oauthGitHub: {
    access: 'public',
    load: async () => (await screenFiles.oauthGitHub()).GitHubReturn,
    entry: 'external',
  },
  oauthOidc: {
    access: 'public',
    load: async () => (await screenFiles.oauthOidc()).OidcReturn,
    entry: 'external',
  },
  oauthLinuxDo: {
    access: 'public',
    load: async () => (await screenFiles.oauthLinuxDo()).LinuxDoReturn,
    entry: 'external',
  },

  playground: {
    access: 'user',
    load: async () => (await screenFiles.playground()).Playground,
    entry: { group: 'top', text: 'playground', icon: <Chat /> },
  },
  chat: {
    access: 'user',
    load: async () => (await screenFiles.chat()).Chat,
    entry: 'linked',
    parameter: ':chatId?',
  },
  chatRedirect: {
    access: 'user',
    load: async () => (await screenFiles.chatRedirect()).ChatRedirect,
    entry: 'external',
  },
  dashboard: {
    access: 'user',
    load: async () => (await screenFiles.dashboard()).Dashboard,
    entry: {
      group: 'console',
      text: 'dashboard',
      icon: <Dashboard />,
      needs: 'enable_data_export',
    },
  },
  token: {
    access: 'user',
    load: async () => (await screenFiles.token()).Tokens,
    entry: { group: 'console', text: 'token', icon: <Key /> },
  },
  log: {
    access: 'user',
    load: async () => (await screenFiles.log()).UsageLog,
    entry: { group: 'console', text: 'log', icon: <History /> },
  },
  drawing: {
    access: 'user',
    load: async () => (await screenFiles.drawing()).Drawings,
    entry: { group: 'console', text: 'drawing', icon: <Media />, needs: 'enable_drawing' },
  },
  task: {
    access: 'user',
    load: async () => (await screenFiles.task()).Tasks,
    entry: { group: 'console', text: 'task', icon: <Music />, needs: 'enable_task' },
  },
  ledger: {
    access: 'user',
    load: async () => (await screenFiles.ledger()).Ledger,
    entry: { group: 'console', text: 'ledger', icon: <Book /> },
    parameter: ':userId?',
  },

  channel: {
    access: 'admin',
    load: async () => (await screenFiles.channel()).Channels,
    entry: { group: 'admin', text: 'channel', icon: <Satellite /> },
    drawers: ['add', 'edit/:channelId'],
  },
  redemption: {
    access: 'admin',
    load: async () => (await screenFiles.redemption()).Redemptions,
    entry: { group: 'admin', text: 'redemption', icon: <Barcode /> },
  },
  user: {
    access: 'admin',
    load: async () => (await screenFiles.user()).Users,
    entry: { group: 'admin', text: 'user', icon: <People /> },
    drawers: ['edit/:userId'],
  },
  audit: {
    access: 'user',
    load: async () => (await screenFiles.audit()).Audit,
    entry: { group: 'admin', text: 'audit', icon: <EyeOpen />, isForAdmins: true },
  },
  setting: {
    access: 'admin',
    load: async () => (await screenFiles.setting()).Settings,
    entry: { group: 'admin', text: 'setting', icon: <Settings /> },
  },

  projections: {
    access: 'admin',
    load: async () => (await screenFiles.projections()).Projections,
    entry: { group: 'operations', text: 'projections', icon: <Layers /> },
  },
  jobs: {
    access: 'admin',
    load: async () => (await screenFiles.jobs()).Jobs,
    entry: { group: 'operations', text: 'jobs', icon: <Time /> },
  },
  verify: {
    access: 'admin',
    load: async () => (await screenFiles.verify()).Verify,
    entry: { group: 'operations', text: 'verify', icon: <Endorsed /> },
  },
  reconciliation: {
    access: 'admin',
    load: async () => (await screenFiles.reconciliation()).Payments,
    entry: { group: 'operations', text: 'reconciliation', icon: <Exchange /> },
  },

  ownProfile: {
    access: 'user',
    load: async () => (await screenFiles.ownProfile()).OwnProfile,
    entry: 'external',
  },
  wallet: {
    access: 'user',
    load: async () => (await screenFiles.wallet()).Wallet,
    entry: { group: 'personal', text: 'wallet', icon: <BankAccount /> },
  },
  personal: {
    access: 'user',
    load: async () => (await screenFiles.personal()).Personal,
    entry: { group: 'personal', text: 'personal', icon: <Cog /> },
  },
} as const satisfies Readonly<Record<PathName, Screen>>;
