import type { RouteKey } from './route-access.ts';

/** What fits into a form with a few lists. Callers who are not signed in never have more to say. */
const defaultBytes = 64 * 1024;
/** Sealed and written down, the values still fit into one append to the log. */
const largeBytes = 512 * 1024;

/** Routes whose bodies hold tables: prices, many keys, mappings of models, ids of many channels. */
const largeBodies: ReadonlySet<RouteKey> = new Set<RouteKey>([
  'PUT /api/option/',
  'POST /api/channel/',
  'PUT /api/channel/',
  'PUT /api/channel/tag',
  'POST /api/channel/fetch_models',
  'POST /api/channel/batch',
  'POST /api/channel/batch/tag',
]);

/** The largest body of a route, in bytes. */
export const bodyLimitOf = (key: RouteKey): number =>
  largeBodies.has(key) ? largeBytes : defaultBytes;
