import { z } from 'zod';

/** POST /api/jobs/:name/run */
export const jobInPath = z.object({ name: z.string().min(1).max(64) });

const begun = z.object({
  run_id: z.string(),
  /** Unix seconds. */
  started_at: z.number(),
  /** User id of who asked for the run; null: it was time. */
  asked_by: z.number().nullable(),
});

const finished = begun.extend({
  duration_ms: z.number(),
  /** `lost`: the process died; `stopped`: it was told to end. */
  outcome: z.enum(['done', 'failed', 'lost', 'stopped']),
  /** What the run did, in numbers by name; empty: nothing to do. */
  figures: z.record(z.string(), z.number()),
  error: z.string(),
});

/** GET /api/jobs, one row for each job of the product. */
const jobRow = z.object({
  name: z.string(),
  /** Seconds between two starts; null: by hand only. */
  every_seconds: z.number().nullable(),
  /** Unix seconds; null: by hand only. */
  next_at: z.number().nullable(),
  running: begun.nullable(),
  /** The last 20, newest first. */
  runs: z.array(finished),
});
export const jobRows = z.array(jobRow);
export type JobRow = z.infer<typeof jobRow>;
