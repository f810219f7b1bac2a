import type { PriceTable } from '../../domain/pricing/compile-prices.ts';
import { defaultModelPrices } from '../../domain/pricing/defaults/model-prices.ts';
import { groupRatioOf } from '../../domain/pricing/quote.ts';
import type { PriceQuote, Usage } from '../../domain/pricing/types.ts';

/** USD, for a step without any price. */
const lastResort = 0.1;

/** Tasks report no tokens: the price is for the step. */
export const noUsage: Usage = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  cacheCreationTokens: 0,
};

/** The operator's price of a step, else the default price. */
export const taskQuote = (
  prices: PriceTable,
  { model, group, isFree }: Readonly<{ model: string; group: string; isFree: boolean }>,
): PriceQuote => {
  const defaultPrice = String(defaultModelPrices[model] ?? lastResort);
  return {
    kind: 'price',
    model,
    modelPrice: isFree ? '0' : (prices.modelPrice.get(model) ?? defaultPrice),
    groupRatio: groupRatioOf(prices, group),
    quotaPerUnit: prices.quotaPerUnit,
    flat: true,
  };
};
