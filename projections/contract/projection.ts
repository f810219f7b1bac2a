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
/** GET /api/projections/lag: the last six hours, as far as the active process has seen them. */
export const lagPoints = z.array(lagPoint);
export type LagPoint = z.infer<typeof lagPoint>;
