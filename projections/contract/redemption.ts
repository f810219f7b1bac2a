import { z } from 'zod';
import { pageOf } from './envelope.ts';

/** Quota in quota units, times in Unix seconds. */
export const redemptionRow = z.object({
  id: z.number().int(),
  /** Who made it. */
  user_id: z.number().int(),
  key: z.string(),
  /** 1 unused, 2 disabled, 3 used. */
  status: z.number().int(),
  name: z.string(),
  quota: z.number().int(),
  created_time: z.number().int(),
  /** 0: not yet. */
  redeemed_time: z.number().int(),
  count: z.literal(0),
  /** 0: none. */
  used_user_id: z.number().int(),
  DeletedAt: z.null(),
});
export type RedemptionRow = z.infer<typeof redemptionRow>;

/** GET /api/redemption/ and GET /api/redemption/search */
export const redemptionPage = pageOf(redemptionRow);
