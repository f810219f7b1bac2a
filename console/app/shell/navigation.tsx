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
import type { ReactElement } from 'react';
import { paths } from '../../shared/paths.ts';

export type NavItem = Readonly<{
  path: string;
  text:
    | 'dashboard'
    | 'playground'
    | 'token'
    | 'log'
    | 'drawing'
    | 'task'
    | 'ledger'
    | 'audit'
    | 'projections'
    | 'jobs'
    | 'verify'
    | 'reconciliation'
    | 'channel'
    | 'redemption'
    | 'setting'
    | 'user'
    | 'wallet'
    | 'personal';
  icon: ReactElement;
  isAdminOnly?: true;
  /** Shown only while the site has this switched on. */
  needs?: 'enable_data_export' | 'enable_drawing' | 'enable_task';
}>;
export type NavGroup = Readonly<{
  title: 'group.console' | 'group.books' | 'group.admin' | 'group.personal' | null;
  isAdminOnly?: true;
  items: readonly NavItem[];
}>;

/** The sidebar in reading order. A new screen gets a line here. */
export const navigation: readonly NavGroup[] = [
  { title: null, items: [{ path: paths.playground, text: 'playground', icon: <Chat /> }] },
  {
    title: 'group.console',
    items: [
      {
        path: paths.dashboard,
        text: 'dashboard',
        icon: <Dashboard />,
        needs: 'enable_data_export',
      },
      { path: paths.token, text: 'token', icon: <Key /> },
      { path: paths.log, text: 'log', icon: <History /> },
      { path: paths.drawing, text: 'drawing', icon: <Media />, needs: 'enable_drawing' },
      { path: paths.task, text: 'task', icon: <Music />, needs: 'enable_task' },
    ],
  },
  {
    title: 'group.books',
    items: [
      { path: paths.ledger, text: 'ledger', icon: <Book /> },
      { path: paths.audit, text: 'audit', icon: <EyeOpen /> },
      { path: paths.projections, text: 'projections', icon: <Layers />, isAdminOnly: true },
      { path: paths.jobs, text: 'jobs', icon: <Time />, isAdminOnly: true },
      { path: paths.verify, text: 'verify', icon: <Endorsed />, isAdminOnly: true },
      {
        path: paths.reconciliation,
        text: 'reconciliation',
        icon: <Exchange />,
        isAdminOnly: true,
      },
    ],
  },
  {
    title: 'group.admin',
    isAdminOnly: true,
    items: [
      { path: paths.channel, text: 'channel', icon: <Satellite /> },
      { path: paths.redemption, text: 'redemption', icon: <Barcode /> },
      { path: paths.user, text: 'user', icon: <People /> },
      { path: paths.setting, text: 'setting', icon: <Settings /> },
    ],
  },
  {
    title: 'group.personal',
    items: [
      { path: paths.wallet, text: 'wallet', icon: <BankAccount /> },
      { path: paths.personal, text: 'personal', icon: <Cog /> },
    ],
  },
];
