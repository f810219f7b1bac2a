import { z } from 'zod';
import { quotaTypes } from './codes.ts';
import { route } from './route.ts';

/** `quota_type` 1: `model_price` USD per call or second; 0: by ratio, 1 being 2 USD per million tokens. */
const pricingRow = z.object({
  model_name: z.string(),
  quota_type: z.literal(Object.values(quotaTypes)),
  model_ratio: z.number(),
  completion_ratio: z.number(),
  model_price: z.number(),
  /** `model_price` is for one second of a video. */
  by_second: z.boolean(),
  /** False: calls of the model are refused; the ratio is what those pay who accept it. */
  has_price: z.boolean(),
  owner_by: z.string(),
  enable_groups: z.array(z.string()),
});
export type PricingRow = z.infer<typeof pricingRow>;

export const pricingApi = {
  'GET /api/pricing': route('visitor', 'Lists the models and prices of the groups of the caller.', {
    data: z.array(pricingRow),
    /** Ratios and descriptions of the groups of the caller. */
    extra: z.object({
      group_ratio: z.record(z.string(), z.number()),
      usable_group: z.record(z.string(), z.string()),
    }),
  }),
};
