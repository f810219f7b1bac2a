import { z } from 'zod';
import { idField, idInPath, quotaField, statusField, statusOnlyQuery } from './fields.ts';
import { maxRedemptionCount, maxRedemptionNameLength } from './limits.ts';
import { route } from './route.ts';

/** `quota` in units for each code. */
const terms = {
  name: z.string().trim().min(1).max(maxRedemptionNameLength),
  quota: quotaField.min(1),
};

const redemptionRecord = z.object({
  id: z.number().int(),
  user_id: z.number().int(),
  key: z.string(),
  /** 1 unused, 2 disabled, 3 used. */
  status: z.number().int(),
  name: z.string(),
  /** Quota units. */
  quota: z.number().int(),
  /** Unix seconds, as for the next; 0: not yet. */
  created_time: z.number().int(),
  redeemed_time: z.number().int(),
  count: z.literal(0),
  used_user_id: z.number().int(),
  DeletedAt: z.null(),
});

export const redemptionApi = {
  'POST /api/redemption/': route('admin', 'Creates codes and returns them.', {
    body: z.object({
      ...terms,
      count: z.number().int().min(1).max(maxRedemptionCount).default(1),
    }),
    data: z.array(z.string()),
  }),
  'PUT /api/redemption/': route('admin', 'Changes a code; with `status_only` its status.', {
    query: statusOnlyQuery,
    body: z.object({ ...terms, id: idField }),
    /** 1 unused, 2 disabled. */
    statusBody: z.object({ id: idField, status: statusField }),
    data: redemptionRecord,
  }),
  'DELETE /api/redemption/:id': route('admin', 'Deletes a code.', { params: idInPath }),
  'POST /api/user/topup': route('user', 'Redeems a code; returns its quota units.', {
    body: z.object({ key: z.string().trim().max(64).default('') }),
    data: z.number().int(),
  }),
};
