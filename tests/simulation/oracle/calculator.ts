import type { Quote } from '../../../domain/pricing/types.ts';
import type { ModelPrice } from '../history.ts';

export type Tokens = Readonly<{
  prompt: number;
  /** Both inside the prompt: read from a cache, and written to one. */
  cached: number;
  created?: number;
  output: number;
}>;

/** A call's addition to its model's price, in thousandths. */
export type OwnRatios = Readonly<{
  /** Of the price of single calls. */
  batchMilli?: number;
  /** Of a token that is written to a cache. */
  creationMilli?: number;
}>;

const thousand = 1_000n;

/**
 * The cost of a call, computed from integers: tokens weighted in thousandths, the price, the group
 * and the discount in thousandths, one rounding at the end, halves up. Independent of the product's
 * pricing.
 */
export const costOf = (
  price: ModelPrice,
  { prompt, cached, created = 0, output }: Tokens,
  { batchMilli = 1_000, creationMilli = 1_000 }: OwnRatios = {},
): number => {
  const weighted =
    BigInt(prompt - cached - created) * thousand +
    BigInt(cached) * BigInt(price.cacheMilli) +
    BigInt(created) * BigInt(creationMilli) +
    BigInt(output) * BigInt(price.completionMilli);
  const factors = BigInt(price.modelMilli) * BigInt(price.groupMilli) * BigInt(batchMilli);
  const exact = weighted * factors;
  const unit = thousand ** 4n;
  return Number((exact * 2n + unit) / (unit * 2n));
};

export const decimal = (milli: number): string => String(milli / 1_000);

/** The same price in the product's terms. */
export const quoteOf = (model: number, price: ModelPrice): Quote => ({
  kind: 'ratio',
  model: `model-${model}`,
  modelRatio: decimal(price.modelMilli),
  completionRatio: decimal(price.completionMilli),
  cacheRatio: decimal(price.cacheMilli),
  cacheCreationRatio: '1',
  groupRatio: decimal(price.groupMilli),
});
