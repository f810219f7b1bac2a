import { z } from 'zod';
import { RefusedError } from '../http/refusals.ts';
import { ok, type Routes } from '../http/routes.ts';
import type { ActiveProjections } from './active.ts';

const namedProjection = z.object({ name: z.string() });

/**
 * GET /api/projections: how far each projection of the site is.
 * POST /api/projections/:name/rebuild: begins a rebuild beside the living one and answers at once;
 * its progress stands in the list.
 * GET /api/projections/lag: how far they were behind, minute by minute. Every process answers for the active one.
 */
export const projectionRoutes = (active: ActiveProjections): Routes => ({
  'POST /api/projections/:name/rebuild': async ({ params }) => {
    const { name } = namedProjection.parse(params);
    const outcome = await active.rebuild(name);
    if (outcome === 'unknown') throw new RefusedError('projection.unknown', 200, name);
    if (outcome === 'busy') throw new RefusedError('projection.busy');
    return ok({ name });
  },
  'GET /api/projections/lag': async () => ok(await active.lag()),
  'GET /api/projections': async () => ok(await active.rows()),
});
