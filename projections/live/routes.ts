import type { liveApi } from '../contract/projection.ts';
import type { Handlers } from '../http/routes.ts';
import type { Live } from './live.ts';

export const liveRoutes = (live: Live): Handlers<typeof liveApi> => ({
  'GET /api/live': async ({ caller }) => ({ events: live.events(caller.id) }),
});
