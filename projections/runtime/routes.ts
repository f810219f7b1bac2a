import type { ProjectionRow } from '../contract/projection.ts';
import { ok, type Routes } from '../http/routes.ts';
import type { Runner } from './run-projections.ts';

/** GET /api/projections: how far each projection of this process is. */
export const projectionRoutes = (runner: Runner): Routes => ({
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
