import { z } from 'zod';
import { idField } from './fields.ts';
import { route } from './route.ts';

/** Unix seconds. */
const pruneQuery = z.object({ target_timestamp: z.coerce.number().int().min(1) });

/**
 * `delta` in quota units, signed; `corrects` names movements of the account by event id or by request id.
 */
const correctionBody = z.object({
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

export const auditApi = {
  'DELETE /api/log/': route('admin', 'Removes older charges and errors; returns how many.', {
    query: pruneQuery,
    data: z.number().int(),
  }),
  'POST /api/audit/correction': route('admin', 'Corrects the balance of an account.', {
    body: correctionBody,
    /** Quota units. */
    data: z.object({ balance: z.number().int().nullable() }),
  }),
};
