import { z } from 'zod';
import { route } from './route.ts';

const startedRun = z.object({
  run_id: z.string(),
  /** Unix seconds. */
  started_at: z.number(),
  /** User id of the requester of the run; null: it was scheduled. */
  asked_by: z.number().nullable(),
});

const finishedRun = startedRun.extend({
  duration_ms: z.number(),
  /** `lost`: the process died; `stopped`: it was stopped before the end. */
  outcome: z.enum(['done', 'failed', 'lost', 'stopped']),
  /** What the run did, in numbers by name; empty: nothing to do. */
  figures: z.record(z.string(), z.number()),
  error: z.string(),
});

const jobRow = z.object({
  name: z.string(),
  /** Seconds between two starts; null: manually only. */
  every_seconds: z.number().nullable(),
  /** Unix seconds; null: manually only. */
  next_at: z.number().nullable(),
  running: startedRun.nullable(),
  /** The last 20, newest first. */
  runs: z.array(finishedRun),
});
export type JobRow = z.infer<typeof jobRow>;

export const jobApi = {
  'GET /api/jobs': route('admin', 'Lists the jobs of the product and their last runs.', {
    data: z.array(jobRow),
  }),
  'POST /api/jobs/:name/run': route('admin', 'Starts a job now.', {
    params: z.object({ name: z.string().min(1).max(64) }),
  }),
};
