import { z } from 'zod';

/** GET /v1/dashboard/billing/subscription. US dollars, or quota units when money is not shown. */
export const billingSubscription = z.object({
  object: z.literal('billing_subscription'),
  has_payment_method: z.literal(true),
  soft_limit_usd: z.number(),
  hard_limit_usd: z.number(),
  system_hard_limit_usd: z.number(),
  /** Unix seconds; 0 never ends. */
  access_until: z.number().int(),
});
export type BillingSubscription = z.infer<typeof billingSubscription>;

/** GET /v1/dashboard/billing/usage. Cents, or a hundred times the quota units. */
export const billingUsage = z.object({ object: z.literal('list'), total_usage: z.number() });
export type BillingUsage = z.infer<typeof billingUsage>;
