import { z } from 'zod';
import { idField, quotaField } from './fields.ts';
import { maxRedemptionCount, maxRedemptionNameLength } from './limits.ts';

/** POST /api/redemption/. `quota` in units for each code, `count` codes. */
export const createRedemptionBody = z.object({
  name: z.string().trim().min(1).max(maxRedemptionNameLength),
  quota: quotaField.min(1),
  count: z.number().int().min(1).max(maxRedemptionCount).default(1),
});

/** PUT /api/redemption/ */
export const changeRedemptionBody = z.object({
  id: idField,
  name: z.string().trim().min(1).max(maxRedemptionNameLength),
  quota: quotaField.min(1),
});

/** PUT /api/redemption/?status_only=true. 1 unused, 2 disabled. */
export const redemptionStatusBody = z.object({
  id: idField,
  status: z.union([z.literal(1), z.literal(2)]),
});

/** POST /api/user/topup */
export const redeemCodeBody = z.object({ key: z.string().trim().max(64).default('') });
