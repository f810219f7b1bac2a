import { routeAccess as writeAccess } from '../../command-api/http/route-access.ts';
import { routeAccess as readAccess } from '../../projections/http/route-access.ts';

export type Access = 'public' | 'visitor' | 'user' | 'admin' | 'root' | 'token';
export type ListedRoute = Readonly<{
  /** `METHOD path` as the table has it. */
  key: string;
  method: string;
  url: string;
  access: Access;
  side: 'write' | 'read';
}>;

const listed = (table: Readonly<Record<string, Access>>, side: ListedRoute['side']) =>
  Object.entries(table).map(([key, access]): ListedRoute => {
    const [method = '', url = ''] = key.split(' ');
    return { key, method, url, access, side };
  });

/** Every route of the console API, by the two tables of who may call what. */
export const allRoutes: readonly ListedRoute[] = [
  ...listed(writeAccess, 'write'),
  ...listed(readAccess, 'read'),
];
