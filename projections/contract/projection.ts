import { z } from 'zod';
import { route } from './route.ts';

const projectionRow = z.object({
  name: z.string(),
  /** `standby`: another process works; `failed`: stopped at its checkpoint. */
  state: z.enum(['starting', 'catching-up', 'live', 'failed', 'standby', 'rebuilding']),
  /** Checkpoint, decimal text; "" before the first event. */
  position: z.string(),
  /** Newest event seen, decimal text. */
  head: z.string(),
  /** Seconds since the newest unprocessed event was written; 0 when live. */
  lag_seconds: z.number(),
  events_per_second: z.number(),
  /** 0 to 1 while it is rebuilt, else null. */
  rebuild_progress: z.number().nullable(),
  error: z.string(),
});
export type ProjectionRow = z.infer<typeof projectionRow>;

const lagPoint = z.object({
  /** Unix seconds, the start of a minute. */
  at: z.number().int(),
  /** Largest lag of a projection in this minute; null: none was measured. */
  projection_seconds: z.number().nullable(),
  /** Which one it was; "" where none lagged. */
  projection: z.string(),
  /** The longest that a charge took from the end of its call; null: nothing was charged. */
  settlement_seconds: z.number().nullable(),
});
export type LagPoint = z.infer<typeof lagPoint>;

export const projectionApi = {
  // A rebuild changes no event, so that it belongs to the read side.
  'POST /api/projections/:name/rebuild': route('admin', 'Starts to rebuild a projection.', {
    params: z.object({ name: z.string() }),
    data: z.object({ name: z.string() }),
  }),
  'GET /api/projections/lag': route('admin', 'Returns the lag of the last six hours.', {
    data: z.array(lagPoint),
  }),
  'GET /api/projections': route('admin', 'Lists how far each projection is.', {
    data: z.array(projectionRow),
  }),
};

export const liveApi = {
  'GET /api/live': route('user', 'Streams the names of read models that have changed.', {
    event: z.object({ read_models: z.array(z.string()) }),
  }),
};
