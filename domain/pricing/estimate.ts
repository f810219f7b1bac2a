import type { QuotaUnits } from '../shared/quota.ts';
import { price } from './price.ts';
import type { Quote } from './types.ts';

export type EstimateAsk = Readonly<{
  /** Estimated from the request. */
  promptTokens: number;
  /** What the client allows, over all choices; null when it names no limit. */
  maxOutputTokens: number | null;
  /** Stands in for a missing limit (option PreConsumedQuota). */
  preConsumedTokens: number;
}>;

/** More than any model reads or writes; keeps sums within the safe numbers. */
const mostTokens = 2 ** 40;

const wholeTokens = (value: number): number =>
  Number.isNaN(value) ? 0 : Math.min(Math.max(Math.ceil(value), 0), mostTokens);

/**
 * Quota to set aside before a call, in units. Output is counted at the output price, which makes an
 * estimate an upper bound for calls that name a limit; without one a running stream extends it.
 */
export const estimate = (quote: Quote, ask: EstimateAsk): QuotaUnits =>
  price(
    {
      promptTokens: Math.max(wholeTokens(ask.promptTokens), 1),
      completionTokens: wholeTokens(ask.maxOutputTokens ?? ask.preConsumedTokens),
      cachedTokens: 0,
      cacheCreationTokens: 0,
    },
    quote,
  );
