import { z } from 'zod';
import { pageOf } from './envelope.ts';
import { idParams, pageQuery, redemptionSearchQuery } from './query.ts';
import { route } from './route.ts';

/** Quota in quota units, times in Unix seconds. */
const redemptionRow = z.object({
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

const redemptionPage = pageOf(redemptionRow);

export const redemptionApi = {
  'GET /api/redemption/': route('admin', 'Lists codes.', {
    query: pageQuery,
    data: redemptionPage,
  }),
  'GET /api/redemption/search': route('admin', 'Finds codes by name or id.', {
    query: redemptionSearchQuery,
    data: redemptionPage,
  }),
  'GET /api/redemption/:id': route('admin', 'Returns a code.', {
    params: idParams,
    data: redemptionRow,
  }),
};
