import { audioTermsOf } from './audio-ratio.ts';
import type { PriceTable } from './compile-prices.ts';
import { completionRatioOf } from './completion-ratio.ts';
import {
  cacheCreationRatio,
  cacheRatioFallback,
  groupRatioFallback,
  unpricedModelRatio,
} from './defaults/fallbacks.ts';
import { type PictureAsk, pictureTerms } from './picture-terms.ts';
import { type SearchContext, toolPricesOf } from './tool-prices.ts';
import type { DecimalText, Quote, RatioQuote } from './types.ts';

/** The request: the name that the client sent, and the group whose price applies. */
export type QuoteAsk = Readonly<{
  model: string;
  group: string;
  /** The calling user accepts models without a price at the fallback ratio. */
  acceptUnpriced: boolean;
}>;

/** All custom assistants of a family share one entry of the price maps. */
const pricedName = (model: string): string => {
  if (model.startsWith('gpt-4-gizmo')) return 'gpt-4-gizmo-*';
  return model.startsWith('gpt-4o-gizmo') ? 'gpt-4o-gizmo-*' : model;
};

export const groupRatioOf = (prices: PriceTable, group: string): DecimalText =>
  prices.groupRatio.get(group) ?? groupRatioFallback;

export const isPriced = (prices: PriceTable, model: string): boolean => {
  const name = pricedName(model);
  return prices.modelPrice.has(name) || prices.modelRatio.has(name);
};

const ratioQuote = (
  prices: PriceTable,
  { model, group }: QuoteAsk,
  modelRatio: DecimalText,
): RatioQuote => {
  const name = pricedName(model);
  const imageRatio = prices.imageRatio.get(name);
  return {
    kind: 'ratio',
    model,
    modelRatio,
    completionRatio: completionRatioOf(name, prices.completionRatio),
    cacheRatio: prices.cacheRatio.get(name) ?? cacheRatioFallback,
    cacheCreationRatio,
    groupRatio: groupRatioOf(prices, group),
    ...audioTermsOf(name, prices),
    ...(imageRatio === undefined ? {} : { imageRatio }),
  };
};

const makeQuote = (prices: PriceTable, ask: QuoteAsk): Quote | null => {
  const name = pricedName(ask.model);
  const modelPrice = prices.modelPrice.get(name);
  if (modelPrice !== undefined) {
    return {
      kind: 'price',
      model: ask.model,
      modelPrice,
      groupRatio: groupRatioOf(prices, ask.group),
      quotaPerUnit: prices.quotaPerUnit,
    };
  }
  const modelRatio = prices.modelRatio.get(name);
  return modelRatio === undefined ? null : ratioQuote(prices, ask, modelRatio);
};

/**
 * Names under a wildcard are unlimited in number, because clients choose them; they are not kept.
 */
const keep = (prices: PriceTable, quote: Quote, { model, group }: QuoteAsk): Quote => {
  if (pricedName(model) !== model) return quote;
  const ofGroup = prices.quotes.get(group) ?? new Map<string, Quote>();
  ofGroup.set(model, quote);
  prices.quotes.set(group, ofGroup);
  return quote;
};

/**
 * The price that is frozen into the charge. A fixed price beats a ratio; a model with neither is
 * `'unpriced'` unless the site runs for its owner alone or the user accepts the fallback ratio.
 */
export const quoteFor = (prices: PriceTable, ask: QuoteAsk): Quote | 'unpriced' => {
  const known = prices.quotes.get(ask.group)?.get(ask.model);
  if (known !== undefined) return known;
  const quote = makeQuote(prices, ask);
  if (quote !== null) return keep(prices, quote, ask);
  if (!prices.selfUseMode && !ask.acceptUnpriced) return 'unpriced';
  return ratioQuote(prices, ask, unpricedModelRatio);
};

/** Everything but text that a request contains. */
export type ExtraAsk = Readonly<{
  picture?: PictureAsk;
  /** Set where the request may have the provider's own tools called. */
  searchContext?: SearchContext;
  /** Set for a batch: what the price of a single call is multiplied by. */
  batchRatio?: DecimalText;
  /** Set where a channel has a separate ratio for cache writes. */
  cacheCreationRatio?: DecimalText;
}>;

/** A price for the call has the cache in it. */
const withCacheRatio = (quote: Quote, ratio: DecimalText | undefined): Quote =>
  ratio === undefined || quote.kind === 'price' ? quote : { ...quote, cacheCreationRatio: ratio };

/** The quote of one request, with the prices of everything but text that it requests. */
export const withExtras = (prices: PriceTable, plain: Quote, ask: ExtraAsk): Quote => {
  const { picture, searchContext, batchRatio } = ask;
  const quote = withCacheRatio(plain, ask.cacheCreationRatio);
  if (picture === undefined && searchContext === undefined && batchRatio === undefined) {
    return quote;
  }
  return {
    ...quote,
    ...(batchRatio === undefined ? {} : { batch: { ratio: batchRatio } }),
    ...(picture === undefined ? {} : { picture: pictureTerms(picture, prices.quotaPerUnit) }),
    ...(searchContext === undefined
      ? {}
      : { tools: toolPricesOf(prices, quote.model, searchContext) }),
  };
};

/** What a price list shows of a model, before the group's multiplier. */
export type ListedPrice =
  | Readonly<{ kind: 'price'; modelPrice: DecimalText }>
  | Readonly<{ kind: 'ratio'; modelRatio: DecimalText; completionRatio: DecimalText }>;

export const listedPrice = (prices: PriceTable, model: string): ListedPrice => {
  const name = pricedName(model);
  const modelPrice = prices.modelPrice.get(name);
  if (modelPrice !== undefined) return { kind: 'price', modelPrice };
  return {
    kind: 'ratio',
    modelRatio: prices.modelRatio.get(name) ?? unpricedModelRatio,
    completionRatio: completionRatioOf(name, prices.completionRatio),
  };
};
