import { type PathName, paths } from '../../shared/paths.ts';
import { useIsAdmin } from '../../shared/session.ts';
import { useStatus } from '../../shared/status.ts';
import { type Screen, screens } from '../screens.tsx';

type SidebarEntry = Exclude<Screen['entry'], string>;
export type NavItem = SidebarEntry & Readonly<{ path: string; isAdminOnly: boolean }>;

const items: readonly NavItem[] = (Object.entries(screens) as [PathName, Screen][]).flatMap(
  ([name, { access, entry }]) =>
    typeof entry === 'string'
      ? []
      : [
          {
            ...entry,
            path: paths[name],
            isAdminOnly: access === 'admin' || entry.isForAdmins === true,
          },
        ],
);

/** The sidebar in reading order, as the table of screens has it. */
export const navigation = [...new Set(items.map(({ group }) => group))].map((group) => ({
  group,
  items: items.filter((item) => item.group === group),
}));

/** Whether an entry is for this person, on this site. */
export const useIsShown = (): ((item: NavItem) => boolean) => {
  const isAdmin = useIsAdmin();
  const status = useStatus();
  return (item) =>
    (isAdmin || !item.isAdminOnly) && (item.needs === undefined || status[item.needs]);
};

/** The entry of an address: the own profile is opened from the personal settings. */
export const entryOf = (pathname: string): string =>
  pathname === paths.ownProfile ? paths.personal : pathname;
