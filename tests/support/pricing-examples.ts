import type { PriceQuote, RatioQuote, Usage } from '../../domain/pricing/types.ts';

/** 1,000 prompt tokens, 500 output tokens, nothing cached. */
export const aUsage = (changes: Partial<Usage> = {}): Usage => ({
  promptTokens: 1000,
  completionTokens: 500,
  cachedTokens: 0,
  cacheCreationTokens: 0,
  ...changes,
});

/** gpt-4o at the default prices. */
export const aRatioQuote = (changes: Partial<RatioQuote> = {}): RatioQuote => ({
  kind: 'ratio',
  model: 'gpt-4o',
  modelRatio: '1.25',
  completionRatio: '4',
  cacheRatio: '0.5',
  cacheCreationRatio: '1.25',
  groupRatio: '1',
  ...changes,
});

/** One drawing at 0.04 USD. */
export const aPriceQuote = (changes: Partial<PriceQuote> = {}): PriceQuote => ({
  kind: 'price',
  model: 'dall-e-3',
  modelPrice: '0.04',
  groupRatio: '1',
  quotaPerUnit: 500_000,
  ...changes,
});
