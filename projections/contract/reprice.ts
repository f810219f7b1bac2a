import { z } from 'zod';
import { ledgerQuote, ledgerUsage } from './ledger.ts';
import { priceStep } from './log.ts';
import { route } from './route.ts';

const decimal = /^\d{1,15}(\.\d{1,15})?$/;
/** A ratio or a price: a number or its exact decimal text, of at least 0. */
const ratio = z
  .union([z.number().nonnegative().transform(String), z.string()])
  .refine((text) => decimal.test(text), { message: 'must be a decimal number of at least 0' });
const tokens = z.number().int().min(0).max(1_000_000_000);
const ids = z.array(z.string().min(1).max(200)).max(1_000);

/** Writes nothing. */
const repriceBody = z.object({
  user_id: z.number().int().positive(),
  event_ids: ids.default([]),
  request_ids: ids.default([]),
  overrides: z
    .object({
      model_ratio: ratio.optional(),
      completion_ratio: ratio.optional(),
      cache_ratio: ratio.optional(),
      cache_creation_ratio: ratio.optional(),
      group_ratio: ratio.optional(),
      /** USD per call; makes it a price per call. */
      model_price: ratio.optional(),
      usage: z
        .object({
          prompt_tokens: tokens.optional(),
          completion_tokens: tokens.optional(),
          cached_tokens: tokens.optional(),
          cache_creation_tokens: tokens.optional(),
        })
        .optional(),
    })
    .default({}),
});
export type RepriceBody = z.infer<typeof repriceBody>;

const repricedCharge = z.object({
  event_id: z.string(),
  request_id: z.string(),
  /** Unix seconds. */
  at: z.number().int(),
  model_name: z.string(),
  /** Quota units; `difference` above 0 is what the account would get back. */
  old_amount: z.number().int(),
  new_amount: z.number().int(),
  difference: z.number().int(),
  usage: ledgerUsage,
  quote: ledgerQuote,
  steps: z.array(priceStep),
  old_steps: z.array(priceStep),
});
const repricing = z.object({
  items: z.array(repricedCharge),
  old_amount: z.number().int(),
  new_amount: z.number().int(),
  difference: z.number().int(),
  /** Ids that name no charge of this account. */
  unknown: z.array(z.string()),
});
export type RepricedCharge = z.infer<typeof repricedCharge>;
export type Repricing = z.infer<typeof repricing>;

export const repriceApi = {
  // A dry run.
  'POST /api/audit/reprice': route('admin', 'Prices charges under other prices or usage.', {
    body: repriceBody,
    data: repricing,
    guards: ['large-body'],
  }),
};
