import { z } from 'zod';
import { idField } from './fields.ts';

/** DELETE /api/log/. Unix seconds: charges and errors from before go out of the usage log. */
export const pruneQuery = z.object({ target_timestamp: z.coerce.number().int().min(1) });

/**
 * POST /api/audit/correction. `delta` in quota units, signed; `corrects` names movements of the
 * account by event id or by request id.
 */
export const correctionBody = z.object({
  user_id: idField,
  delta: z
    .number()
    .int()
    .min(-Number.MAX_SAFE_INTEGER)
    .max(Number.MAX_SAFE_INTEGER)
    .refine((delta) => delta !== 0),
  corrects: z.array(z.string().trim().min(1).max(200)).min(1).max(200),
  reason: z.string().trim().min(1).max(500),
  reference: z.string().trim().max(200).nullish(),
});
