import { compilePrices } from '../../domain/pricing/compile-prices.ts';
import { type QuoteAsk, quoteFor, withExtras } from '../../domain/pricing/quote.ts';
import type { Quote, Usage } from '../../domain/pricing/types.ts';
import { videoQuoteFor } from '../../domain/pricing/video-quote.ts';
import { type BillingCase, type BillingGroup, billingOptions } from './billing-cases.ts';

const prices = compilePrices(billingOptions);

export const noUsage: Usage = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  cacheCreationTokens: 0,
};

/** What a case of a billing table is admitted under. @throws Error for a model without a price */
export const quoteOf = (
  { model, ask, videoSize }: Pick<BillingCase, 'model' | 'ask' | 'videoSize'>,
  group: BillingGroup,
): Quote => {
  const asked: QuoteAsk = { model, group, acceptUnpriced: false };
  const quote =
    videoSize === undefined
      ? quoteFor(prices, asked)
      : videoQuoteFor(prices, { ...asked, size: videoSize });
  if (quote === 'unpriced') throw new Error(`${model} has no price`);
  return withExtras(prices, quote, ask ?? {});
};
