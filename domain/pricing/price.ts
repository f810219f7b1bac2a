import { divideHalfAwayFromZero, parseDecimal, roundHalfAwayFromZero } from '../shared/decimal.ts';
import type { QuotaUnits } from '../shared/quota.ts';
import { billLines, sumOf } from './bill-lines.ts';
import { hasExtras, isFree, plainPromptTokens } from './counts.ts';
import type { Quote, RatioQuote, Usage } from './types.ts';
import { fixedPrice, type Weights, weightsOf } from './weights.ts';

const exactSum = (usage: Usage, { exact }: Weights): bigint =>
  BigInt(plainPromptTokens(usage)) * exact.prompt +
  BigInt(usage.cachedTokens) * exact.cached +
  BigInt(usage.cacheCreationTokens) * exact.cacheCreation +
  BigInt(usage.completionTokens) * exact.completion;

/** A charge that no number can hold stops at the largest safe one. */
const asUnits = (value: bigint): QuotaUnits => {
  if (value <= 0n) return 0;
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value);
};

const byRatioExactly = (usage: Usage, weights: Weights): QuotaUnits => {
  const sum = exactSum(usage, weights);
  if (sum <= 0n) return weights.exact.prompt === 0n ? 0 : 1;
  return asUnits(divideHalfAwayFromZero(sum, weights.exact.denominator));
};

/**
 * Sums of safe integers stay exact as long as the total is safe, and then plain numbers do. Work
 * that amounts to nothing at a price above 0 costs one unit (infra/reference/money-rules.md).
 */
const byRatio = (usage: Usage, quote: RatioQuote): QuotaUnits => {
  const weights = weightsOf(quote);
  const { small } = weights;
  const plain = plainPromptTokens(usage);
  if (small === null || plain < 0) return byRatioExactly(usage, weights);
  const sum =
    plain * small.prompt +
    usage.cachedTokens * small.cached +
    usage.cacheCreationTokens * small.cacheCreation +
    usage.completionTokens * small.completion;
  if (!Number.isSafeInteger(sum) || sum <= 0) return byRatioExactly(usage, weights);
  const rest = sum % small.denominator;
  return (sum - rest) / small.denominator + (rest * 2 >= small.denominator ? 1 : 0);
};

const isZero = (text: string): boolean => parseDecimal(text).digits === 0n;

/** At a price above 0, work that amounts to nothing costs one unit. */
const isForNothing = (quote: Quote): boolean =>
  quote.kind === 'price' ||
  isZero(quote.modelRatio) ||
  isZero(quote.groupRatio) ||
  isZero(quote.batch?.ratio ?? '1');

const byLine = (usage: Usage, quote: Quote): QuotaUnits => {
  const sum = sumOf(billLines(usage, quote));
  if (sum.digits <= 0n) return isForNothing(quote) ? 0 : 1;
  return asUnits(roundHalfAwayFromZero(sum));
};

/**
 * What a call costs, in quota units: exact, from the texts of the quote, rounded once, halves away
 * from zero. A call that used nothing is free.
 * @throws RangeError when a count is no whole number; `boundUsage` makes sure that it is
 */
export const price = (usage: Usage, quote: Quote): QuotaUnits => {
  if (isFree(usage, quote)) return 0;
  if (hasExtras(usage) || quote.batch !== undefined) return byLine(usage, quote);
  return quote.kind === 'price' ? asUnits(fixedPrice(quote)) : byRatio(usage, quote);
};
