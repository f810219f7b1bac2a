import type { QuotaUnits } from '../shared/quota.ts';
import { price } from './price.ts';
import type { Quote } from './types.ts';

export type EstimateAsk = Readonly<{
  /** Estimated from the request. */
  promptTokens: number;
  /** What the client allows, over all choices; null when it names no limit. */
  maxOutputTokens: number | null;
  /** Replaces a missing limit (option PreConsumedQuota). */
  preConsumedTokens: number;
  /** Requested pictures; none when absent. */
  pictures?: number;
}>;

/** More than any model reads or writes; keeps sums within the safe numbers. */
const maxTokens = 2 ** 40;

const wholeTokens = (value: number): number =>
  Number.isNaN(value) ? 0 : Math.min(Math.max(Math.ceil(value), 0), maxTokens);

const nothing = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, cacheCreationTokens: 0 };

/** Pictures are paid by the piece or by tokens, whichever the provider reports. */
const ofPictures = (quote: Quote, pictures: number): QuotaUnits =>
  pictures === 0 ? 0 : price({ ...nothing, pictures }, quote);

const oneToken = { ...nothing, promptTokens: 1 };

/** One call of each tool that the request may have called; more are seen at the end. */
const ofTools = (quote: Quote): QuotaUnits =>
  quote.tools === undefined
    ? 0
    : price({ ...oneToken, webSearches: 1, fileSearches: 1 }, quote) - price(oneToken, quote);

/**
 * Quota to reserve before a call, in units. Output is counted at the output price, which makes an
 * estimate an upper bound for calls that name a limit; without one a running stream extends it.
 */
export const estimate = (quote: Quote, ask: EstimateAsk): QuotaUnits => {
  const ofText = price(
    {
      promptTokens: Math.max(wholeTokens(ask.promptTokens), 1),
      completionTokens: wholeTokens(ask.maxOutputTokens ?? ask.preConsumedTokens),
      cachedTokens: 0,
      cacheCreationTokens: 0,
    },
    quote,
  );
  return Math.max(ofText, ofPictures(quote, ask.pictures ?? 0)) + ofTools(quote);
};
