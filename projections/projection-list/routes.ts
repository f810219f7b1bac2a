import type { projectionApi } from '../contract/projection.ts';
import { RefusedError } from '../http/refusals.ts';
import { type Handlers, ok } from '../http/routes.ts';
import type { ActiveProjections } from './active.ts';

/**
 * A rebuild starts next to the active projection and answers at once; its progress is in the list. Every process
 * answers for the active one.
 */
export const projectionRoutes = (active: ActiveProjections): Handlers<typeof projectionApi> => ({
  'POST /api/projections/:name/rebuild': async ({ params: { name } }) => {
    const outcome = await active.rebuild(name);
    if (outcome === 'unknown') throw new RefusedError('projection.unknown', 200, name);
    if (outcome === 'busy') throw new RefusedError('projection.busy');
    return ok({ name });
  },
  'GET /api/projections/lag': async () => ok(await active.lag()),
  'GET /api/projections': async () => ok(await active.rows()),
});
