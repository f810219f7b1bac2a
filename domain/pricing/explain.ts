import {
  add,
  type Decimal,
  formatDecimal,
  multiply,
  negate,
  parseDecimal,
  wholeDecimal,
} from '../shared/decimal.ts';
import { plainPromptTokens, price, totalTokens } from './price.ts';
import type { DecimalText, PriceQuote, Quote, RatioQuote, Usage } from './types.ts';

export type PriceFactorKey =
  | 'model-ratio'
  | 'completion-ratio'
  | 'cache-ratio'
  | 'cache-creation-ratio'
  | 'group-ratio'
  | 'model-price'
  | 'quota-per-unit';
export type PriceFactor = Readonly<{ key: PriceFactorKey; value: DecimalText }>;

export type PriceStepKey =
  | 'prompt'
  | 'cache-read'
  | 'cache-creation'
  | 'completion'
  | 'call'
  | 'minimum'
  | 'rounding';
/** One line of a bill: `tokens × factors = units`. All lines together are the amount, exactly. */
export type PriceStep = Readonly<{
  key: PriceStepKey;
  /** null where the line does not go by tokens. */
  tokens: number | null;
  factors: readonly PriceFactor[];
  /** Quota units, signed for the roundings, exact. */
  units: DecimalText;
}>;

const zero: Decimal = { digits: 0n, scale: 0 };

const line = (
  key: PriceStepKey,
  tokens: number | null,
  factors: readonly PriceFactor[],
): PriceStep => {
  const start = wholeDecimal(tokens ?? 1);
  const units = factors.reduce((sum, { value }) => multiply(sum, parseDecimal(value)), start);
  return { key, tokens, factors, units: formatDecimal(units) };
};

const ratioLines = (usage: Usage, quote: RatioQuote): readonly PriceStep[] => {
  const model: PriceFactor = { key: 'model-ratio', value: quote.modelRatio };
  const group: PriceFactor = { key: 'group-ratio', value: quote.groupRatio };
  const times = (key: PriceFactorKey, value: DecimalText) => [{ key, value }, model, group];
  return [
    line('prompt', plainPromptTokens(usage), [model, group]),
    line('cache-read', usage.cachedTokens, times('cache-ratio', quote.cacheRatio)),
    line(
      'cache-creation',
      usage.cacheCreationTokens,
      times('cache-creation-ratio', quote.cacheCreationRatio),
    ),
    line('completion', usage.completionTokens, times('completion-ratio', quote.completionRatio)),
  ].filter(({ tokens }) => tokens !== 0);
};

const callLine = (quote: PriceQuote): PriceStep =>
  line('call', null, [
    { key: 'model-price', value: quote.modelPrice },
    { key: 'quota-per-unit', value: formatDecimal(parseDecimal(String(quote.quotaPerUnit))) },
    { key: 'group-ratio', value: quote.groupRatio },
  ]);

/** The bill line by line, for the ledger. Summing `units` gives `price(usage, quote)`. */
export const explain = (usage: Usage, quote: Quote): readonly PriceStep[] => {
  if (totalTokens(usage) <= 0) return [];
  const lines = quote.kind === 'price' ? [callLine(quote)] : ratioLines(usage, quote);
  const raw = lines.reduce((sum, { units }) => add(sum, parseDecimal(units)), zero);
  const rest = add(wholeDecimal(price(usage, quote)), negate(raw));
  if (rest.digits === 0n) return lines;
  const key = raw.digits <= 0n ? 'minimum' : 'rounding';
  return [...lines, { key, tokens: null, factors: [], units: formatDecimal(rest) }];
};
