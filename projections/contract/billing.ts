import { z } from 'zod';
import { route } from './route.ts';

/** US dollars, or quota units when money is not shown. */
const billingSubscription = z.object({
  object: z.literal('billing_subscription'),
  has_payment_method: z.literal(true),
  soft_limit_usd: z.number(),
  hard_limit_usd: z.number(),
  system_hard_limit_usd: z.number(),
  /** Unix seconds; 0 never ends. */
  access_until: z.number().int(),
});
export type BillingSubscription = z.infer<typeof billingSubscription>;

/** Cents, or a hundred times the quota units. */
const billingUsage = z.object({ object: z.literal('list'), total_usage: z.number() });
export type BillingUsage = z.infer<typeof billingUsage>;

const subscription = route('token', 'Returns the limit of the key or its owner.', {
  bare: billingSubscription,
});
const usage = route('token', 'Returns what the key or its owner has used.', { bare: billingUsage });

export const billingApi = {
  'GET /v1/dashboard/billing/subscription': subscription,
  'GET /dashboard/billing/subscription': subscription,
  'GET /v1/dashboard/billing/usage': usage,
  'GET /dashboard/billing/usage': usage,
};
