import { type PathName, paths } from '../../shared/paths.ts';
import { type Screen, screens } from '../screens.tsx';

type SidebarEntry = Exclude<Screen['entry'], string>;
export type NavItem = SidebarEntry & Readonly<{ path: string; isAdminOnly: boolean }>;

const items: readonly NavItem[] = (Object.entries(screens) as [PathName, Screen][]).flatMap(
  ([name, { access, entry }]) =>
    typeof entry === 'string'
      ? []
      : [{ ...entry, path: paths[name], isAdminOnly: access === 'admin' }],
);

/** The sidebar in reading order, as the table of screens has it. */
export const navigation = [...new Set(items.map(({ group }) => group))].map((group) => ({
  group,
  items: items.filter((item) => item.group === group),
}));
