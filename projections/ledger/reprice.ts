import { plainPromptTokens } from '../../domain/pricing/counts.ts';
import { price } from '../../domain/pricing/price.ts';
import type { PriceQuote, Quote, RatioQuote, Usage } from '../../domain/pricing/types.ts';
import type { RepriceBody, RepricedCharge, Repricing } from '../contract/reprice.ts';
import { RefusedError } from '../http/refusals.ts';
import { priceSteps } from '../shared/price-steps.ts';
import type { LedgerRow } from './table.ts';

type Overrides = RepriceBody['overrides'];

/** Default ratios, for a model that is priced by ratio and has no separate one. */
const plainRatios = { completionRatio: '1', cacheRatio: '1', cacheCreationRatio: '1.25' } as const;

/** Sizes of pictures, prices of tools and the discount of a batch stay as they were agreed. */
const extrasOf = ({
  picture,
  tools,
  batch,
}: Quote): Pick<Quote, 'picture' | 'tools' | 'batch'> => ({
  ...(picture === undefined ? {} : { picture }),
  ...(tools === undefined ? {} : { tools }),
  ...(batch === undefined ? {} : { batch }),
});

/** What the price is for: a step, a second of a video, else the call. */
const termsOf = (quote: Quote): Pick<PriceQuote, 'flat' | 'video'> => {
  if (quote.kind !== 'price') return {};
  const { flat, video } = quote;
  return { ...(flat === true ? { flat } : {}), ...(video === undefined ? {} : { video }) };
};

const perCall = (quote: Quote, overrides: Overrides, quotaPerUnit: number): PriceQuote => ({
  kind: 'price',
  model: quote.model,
  modelPrice: overrides.model_price ?? (quote.kind === 'price' ? quote.modelPrice : '0'),
  groupRatio: overrides.group_ratio ?? quote.groupRatio,
  quotaPerUnit: quote.kind === 'price' ? quote.quotaPerUnit : quotaPerUnit,
  ...termsOf(quote),
  ...extrasOf(quote),
});

const byRatio = (quote: Quote, overrides: Overrides): RatioQuote => {
  const before =
    quote.kind === 'ratio' ? quote : { modelRatio: '0', ...plainRatios, ...extrasOf(quote) };
  return {
    ...before,
    kind: 'ratio',
    model: quote.model,
    modelRatio: overrides.model_ratio ?? before.modelRatio,
    completionRatio: overrides.completion_ratio ?? before.completionRatio,
    cacheRatio: overrides.cache_ratio ?? before.cacheRatio,
    cacheCreationRatio: overrides.cache_creation_ratio ?? before.cacheCreationRatio,
    groupRatio: overrides.group_ratio ?? quote.groupRatio,
  };
};

/** A price per call beats a ratio, here as everywhere. */
const quoteUnder = (quote: Quote, overrides: Overrides, quotaPerUnit: number): Quote => {
  if (overrides.model_price !== undefined) return perCall(quote, overrides, quotaPerUnit);
  const staysPerCall = quote.kind === 'price' && overrides.model_ratio === undefined;
  return staysPerCall ? perCall(quote, overrides, quotaPerUnit) : byRatio(quote, overrides);
};

/** Cached tokens, sound and pictures lie inside the counts that hold them. */
const fits = (usage: Usage): boolean => {
  const { audioInputTokens = 0, cachedAudioTokens = 0, imageInputTokens = 0 } = usage;
  const special = audioInputTokens - cachedAudioTokens + imageInputTokens;
  const isWithin = plainPromptTokens(usage) >= special && cachedAudioTokens <= usage.cachedTokens;
  return isWithin && (usage.audioOutputTokens ?? 0) <= usage.completionTokens;
};

/** @throws RefusedError when parts of the usage are more than the whole */
const usageUnder = (usage: Usage, { usage: wanted = {} }: Overrides): Usage => {
  const changed: Usage = {
    ...usage,
    promptTokens: wanted.prompt_tokens ?? usage.promptTokens,
    completionTokens: wanted.completion_tokens ?? usage.completionTokens,
    cachedTokens: wanted.cached_tokens ?? usage.cachedTokens,
    cacheCreationTokens: wanted.cache_creation_tokens ?? usage.cacheCreationTokens,
  };
  if (!fits(changed)) throw new RefusedError('reprice.usage-invalid');
  return changed;
};

const repriced = (row: LedgerRow, overrides: Overrides, quotaPerUnit: number): RepricedCharge => {
  const charged = JSON.parse(row.price ?? '') as { usage: Usage; quote: Quote };
  const usage = usageUnder(charged.usage, overrides);
  const quote = quoteUnder(charged.quote, overrides, quotaPerUnit);
  const amount = price(usage, quote);
  const oldAmount = row.delta === 0 ? 0 : -row.delta;
  return {
    event_id: row.event_id,
    request_id: row.request_id,
    at: row.at,
    model_name: row.model_name,
    old_amount: oldAmount,
    new_amount: amount,
    difference: oldAmount - amount,
    usage,
    quote,
    steps: priceSteps(usage, quote),
    old_steps: priceSteps(charged.usage, charged.quote),
  };
};

const sum = (items: readonly RepricedCharge[], of: (item: RepricedCharge) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

/** The amount of these charges under other terms; nothing is written. */
export const repriceAll = (
  rows: readonly LedgerRow[],
  { event_ids, request_ids, overrides }: RepriceBody,
  quotaPerUnit: number,
): Repricing => {
  const items = rows.map((row) => repriced(row, overrides, quotaPerUnit));
  const known = new Set(items.flatMap(({ event_id, request_id }) => [event_id, request_id]));
  return {
    items,
    old_amount: sum(items, (item) => item.old_amount),
    new_amount: sum(items, (item) => item.new_amount),
    difference: sum(items, (item) => item.difference),
    unknown: [...event_ids, ...request_ids].filter((id) => !known.has(id)),
  };
};
