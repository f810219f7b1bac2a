import { z } from 'zod';

/** GET /api/projections, one row for each projection of the process that answers. */
const projectionRow = z.object({
  name: z.string(),
  /** `standby`: another process works; `failed`: stopped at its checkpoint. */
  state: z.enum(['starting', 'catching-up', 'live', 'failed', 'standby', 'rebuilding']),
  /** Checkpoint, decimal text; "" before the first event. */
  position: z.string(),
  /** Newest event seen, decimal text. */
  head: z.string(),
  /** Seconds since the newest event that is still to come was written; 0 when live. */
  lag_seconds: z.number(),
  events_per_second: z.number(),
  /** 0 to 1 while it is rebuilt, else null. */
  rebuild_progress: z.number().nullable(),
  error: z.string(),
});
export const projectionRows = z.array(projectionRow);
export type ProjectionRow = z.infer<typeof projectionRow>;
