import type { PriceTable } from './compile-prices.ts';
import { defaultModelPrices } from './defaults/model-prices.ts';
import { groupRatioOf } from './quote.ts';
import type { DecimalText, PriceQuote } from './types.ts';

/** USD per second, for a model without any price, of those who accept such models. */
const unpricedSecond: DecimalText = '0.1';

export type VideoAsk = Readonly<{
  /** The name that the client sent. */
  model: string;
  group: string;
  /** Such as "1280x720". */
  size: string;
  /** The calling user accepts models without a price. */
  acceptUnpriced: boolean;
}>;

/** The operator's prices precede the default ones, and a size its model. */
const priceOfSecond = (
  { modelPrice }: PriceTable,
  { model, size }: VideoAsk,
): DecimalText | undefined => {
  const name = `${model}@${size}`;
  const own = modelPrice.get(name) ?? modelPrice.get(model);
  if (own !== undefined) return own;
  const usual = defaultModelPrices[name] ?? defaultModelPrices[model];
  return usual === undefined ? undefined : String(usual);
};

/**
 * The price of a video, frozen into its charge. `ModelPrice` of a video model is USD for one
 * second; `model@size` in the same map is the price at that size. A video is paid by the seconds
 * that were requested: `seconds × price × units per USD × group ratio`, rounded once. A ratio
 * prices no video, because providers report no tokens of one.
 */
export const videoQuoteFor = (prices: PriceTable, ask: VideoAsk): PriceQuote | 'unpriced' => {
  const isAccepted = prices.selfUseMode || ask.acceptUnpriced;
  const modelPrice = priceOfSecond(prices, ask) ?? (isAccepted ? unpricedSecond : undefined);
  if (modelPrice === undefined) return 'unpriced';
  return {
    kind: 'price',
    model: ask.model,
    modelPrice,
    groupRatio: groupRatioOf(prices, ask.group),
    quotaPerUnit: prices.quotaPerUnit,
    video: { size: ask.size },
  };
};
