import { writeRoutes } from '../../command-api/contract/routes.ts';
import { methodAndUrl, type RouteTable } from '../../infra/web/route.ts';
import { readRoutes } from '../../projections/contract/routes.ts';

export type Access = 'public' | 'visitor' | 'user' | 'admin' | 'root' | 'token';
const listed = (table: RouteTable, side: 'write' | 'read') =>
  Object.entries(table).map(([key, { access }]) => ({
    key,
    ...methodAndUrl(key),
    access: access as Access,
    side,
  }));
export type ListedRoute = ReturnType<typeof listed>[number];

/** Every route of the console API, as the two rooms declare them. */
export const allRoutes = [...listed(writeRoutes, 'write'), ...listed(readRoutes, 'read')];
