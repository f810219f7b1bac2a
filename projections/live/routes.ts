import type { Routes } from '../http/routes.ts';
import type { Live } from './live.ts';

/** GET /api/live: server-sent events that say which read models have moved. */
export const liveRoutes = (live: Live): Routes => ({
  'GET /api/live': async ({ caller }) => ({ events: live.events(caller.id) }),
});
