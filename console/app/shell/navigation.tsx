import { Book, Chat, Cog, History, Key, People, Satellite } from '@blueprintjs/icons';
import type { ReactElement } from 'react';
import { paths } from '../../shared/paths.ts';

export type NavItem = Readonly<{
  path: string;
  text: 'playground' | 'token' | 'log' | 'ledger' | 'channel' | 'user' | 'personal';
  icon: ReactElement;
}>;
export type NavGroup = Readonly<{
  title: 'group.console' | 'group.admin' | 'group.personal' | null;
  isAdminOnly?: true;
  items: readonly NavItem[];
}>;

/** The sidebar in reading order. A new screen gets a line here. */
export const navigation: readonly NavGroup[] = [
  { title: null, items: [{ path: paths.playground, text: 'playground', icon: <Chat /> }] },
  {
    title: 'group.console',
    items: [
      { path: paths.token, text: 'token', icon: <Key /> },
      { path: paths.log, text: 'log', icon: <History /> },
      { path: paths.ledger, text: 'ledger', icon: <Book /> },
    ],
  },
  {
    title: 'group.admin',
    isAdminOnly: true,
    items: [
      { path: paths.channel, text: 'channel', icon: <Satellite /> },
      { path: paths.user, text: 'user', icon: <People /> },
    ],
  },
  {
    title: 'group.personal',
    items: [{ path: paths.personal, text: 'personal', icon: <Cog /> }],
  },
];
