import { z } from 'zod';
import { route } from './route.ts';

/** One break that verify found. Events name themselves by id, rows by table and key. */
const verifyBreak = z.object({
  /** Stable; `price-mismatch`, `balance-mismatch`, `row-differs`, … */
  kind: z.string(),
  /** "" for a row. */
  event_id: z.string(),
  stream_id: z.string(),
  /** Place in the log, decimal text. */
  position: z.string(),
  /** `user_list.users/42`; "" for an event. */
  row: z.string(),
  detail: z.string(),
});
export type VerifyBreakRow = z.infer<typeof verifyBreak>;

const verifyReport = z.object({
  /** Unix seconds. */
  started_at: z.number().int(),
  finished_at: z.number().int(),
  /** Newest event that was walked, decimal text; "" in an empty log. */
  head: z.string(),
  events: z.number().int(),
  accounts: z.number().int(),
  /** Rows of read models that were held against the log. */
  rows: z.number().int(),
  requests: z.object({
    charged: z.number().int(),
    failed: z.number().int(),
    abandoned: z.number().int(),
    open: z.number().int(),
  }),
  leases: z.object({
    opened: z.number().int(),
    closed: z.number().int(),
    alive: z.number().int(),
  }),
  /** The first 1,000; `break_counts` counts all, by kind. */
  breaks: z.array(verifyBreak),
  break_counts: z.record(z.string(), z.number().int()),
  /** What could not be compared, and why. */
  notes: z.array(z.string()),
});
export type VerifyReportRow = z.infer<typeof verifyReport>;

const verifyState = z.object({
  running: z
    .object({
      /** Unix seconds. */
      started_at: z.number().int(),
      phase: z.enum(['log', 'read-models']),
      events: z.number().int(),
      /** 0 to 1. */
      share: z.number(),
    })
    .nullable(),
  /** Of the last run that ended. */
  report: verifyReport.nullable(),
  /** Why the last run did not end; "" when it did. */
  error: z.string(),
});
export type VerifyState = z.infer<typeof verifyState>;

export const verifyApi = {
  // Verifying writes nothing, so that it belongs to the read side.
  'POST /api/verify': route('admin', 'Starts to verify the books.', { data: verifyState }),
  'GET /api/verify': route('admin', 'Returns how far verifying is, and its last report.', {
    data: verifyState,
  }),
};
