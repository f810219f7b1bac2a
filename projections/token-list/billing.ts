import { optionIsOn, optionNumber } from '../../domain/option/read.ts';
import type { BillingSubscription, BillingUsage, billingApi } from '../contract/billing.ts';
import type { ReadDeps } from '../http/read-deps.ts';
import { bare, type Call, type Handlers } from '../http/routes.ts';

/** Shown as the limit of a token without one, US dollars. */
const unlimited = 100_000_000;

type Figures = Readonly<{ remain: number; used: number; until: number; isUnlimited: boolean }>;

/** Divided once, at the end: `(used / unit) * 100` would round twice and show it. */
const centsOf = (used: number, unit: number): number => (used * 100) / unit;

/** What clients of OpenAI's billing calls read; dates are ignored, as there is no billing period. */
export const billingRoutes = ({ lookups }: ReadDeps): Handlers<typeof billingApi> => {
  const figuresOf = async ({ token, caller }: Call, ofToken: boolean): Promise<Figures> => {
    if (ofToken && token !== null) {
      return {
        remain: token.remain_quota,
        used: token.used_quota,
        until: Math.max(0, token.expired_time),
        isUnlimited: token.unlimited_quota,
      };
    }
    const { balance, used } = await lookups.balanceOf(caller.id);
    return { remain: balance, used, until: 0, isUnlimited: false };
  };

  /** In US dollars where amounts are shown as money, else in quota units. */
  const read = async (call: Call) => {
    const options = await lookups.options();
    const figures = await figuresOf(call, optionIsOn(options, 'DisplayTokenStatEnabled'));
    const inCurrency = optionIsOn(options, 'DisplayInCurrencyEnabled');
    const unit = inCurrency ? optionNumber(options, 'QuotaPerUnit') : 1;
    return { ...figures, unit };
  };

  const subscription = async (call: Call) => {
    const { remain, used, until, isUnlimited, unit } = await read(call);
    const limit = isUnlimited ? unlimited : (remain + used) / unit;
    const answer: BillingSubscription = {
      object: 'billing_subscription',
      has_payment_method: true,
      soft_limit_usd: limit,
      hard_limit_usd: limit,
      system_hard_limit_usd: limit,
      access_until: until,
    };
    return bare(answer);
  };

  const usage = async (call: Call) => {
    const { used, unit } = await read(call);
    const answer: BillingUsage = { object: 'list', total_usage: centsOf(used, unit) };
    return bare(answer);
  };

  return {
    'GET /v1/dashboard/billing/subscription': subscription,
    'GET /dashboard/billing/subscription': subscription,
    'GET /v1/dashboard/billing/usage': usage,
    'GET /dashboard/billing/usage': usage,
  };
};
