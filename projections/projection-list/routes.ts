import { z } from 'zod';
import type { Logger } from '../../infra/ports/logger.ts';
import type { ProjectionRow } from '../contract/projection.ts';
import { RefusedError } from '../http/refusals.ts';
import { ok, type Routes } from '../http/routes.ts';
import type { Runner } from '../runtime/run-projections.ts';

const namedProjection = z.object({ name: z.string() });

/**
 * GET /api/projections: how far each projection of this process is.
 * POST /api/projections/:name/rebuild: begins a rebuild beside the living one and answers at once;
 * its progress stands in the list.
 */
export const projectionRoutes = (runner: Runner, logger: Logger): Routes => ({
  'POST /api/projections/:name/rebuild': async ({ params }) => {
    const { name } = namedProjection.parse(params);
    const row = runner.status().find((candidate) => candidate.name === name);
    if (row === undefined) throw new RefusedError('projection.unknown', 200, name);
    if (row.state === 'rebuilding' || row.state === 'standby') {
      throw new RefusedError('projection.busy');
    }
    runner
      .rebuild(name, () => {})
      .catch((error: unknown) => logger.error({ err: error, projection: name }, 'rebuild failed'));
    return ok({ name });
  },
  'GET /api/projections': async () =>
    ok(
      runner.status().map(
        (status): ProjectionRow => ({
          name: status.name,
          state: status.state,
          position: status.position === null ? '' : String(status.position),
          head: status.head === null ? '' : String(status.head),
          lag_seconds: status.lagSeconds,
          events_per_second: status.eventsPerSecond,
          rebuild_progress: status.rebuildProgress,
          error: status.error,
        }),
      ),
    ),
});
