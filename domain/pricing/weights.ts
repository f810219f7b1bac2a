import {
  digitsAtScale,
  divideHalfAwayFromZero,
  multiply,
  parseDecimal,
  tenToThe,
} from '../shared/decimal.ts';
import type { PriceQuote, RatioQuote } from './types.ts';

/** What one token of each kind costs, as whole numbers of `1 / denominator` units. */
type ExactWeights = Readonly<{
  prompt: bigint;
  cached: bigint;
  cacheCreation: bigint;
  completion: bigint;
  denominator: bigint;
}>;
type SmallWeights = Readonly<{ [Key in keyof ExactWeights]: number }>;
export type Weights = Readonly<{
  exact: ExactWeights;
  /** The same as plain numbers where all of them are safe integers; six times as fast. */
  small: SmallWeights | null;
}>;

const compiled = new Map<string, Weights>();
const fixed = new Map<string, bigint>();
/** Bounds both caches: quotes exist for a handful of models and groups. */
const limit = 10_000;

const remember = <T>(cache: Map<string, T>, key: string, value: T): T => {
  if (cache.size >= limit) cache.clear();
  cache.set(key, value);
  return value;
};

const asSmall = (exact: ExactWeights): SmallWeights | null => {
  const small = {
    prompt: Number(exact.prompt),
    cached: Number(exact.cached),
    cacheCreation: Number(exact.cacheCreation),
    completion: Number(exact.completion),
    denominator: Number(exact.denominator),
  };
  return Object.values(small).every((value) => Number.isSafeInteger(value) && value >= 0)
    ? small
    : null;
};

const compile = (quote: RatioQuote): Weights => {
  const base = multiply(parseDecimal(quote.modelRatio), parseDecimal(quote.groupRatio));
  const cached = multiply(base, parseDecimal(quote.cacheRatio));
  const cacheCreation = multiply(base, parseDecimal(quote.cacheCreationRatio));
  const completion = multiply(base, parseDecimal(quote.completionRatio));
  const scale = Math.max(base.scale, cached.scale, cacheCreation.scale, completion.scale);
  const exact = {
    prompt: digitsAtScale(base, scale),
    cached: digitsAtScale(cached, scale),
    cacheCreation: digitsAtScale(cacheCreation, scale),
    completion: digitsAtScale(completion, scale),
    denominator: tenToThe(scale),
  };
  return { exact, small: asSmall(exact) };
};

const byText = (quote: RatioQuote): Weights => {
  const { modelRatio, groupRatio, completionRatio, cacheRatio, cacheCreationRatio } = quote;
  const key = `${modelRatio} ${groupRatio} ${completionRatio} ${cacheRatio} ${cacheCreationRatio}`;
  return compiled.get(key) ?? remember(compiled, key, compile(quote));
};

/** A relay prices all calls of a model and group with one quote; a stored one is separate. */
const byQuote = new WeakMap<RatioQuote, Weights>();

/** Weights follow from the texts of the quote alone, so a stored quote prices the same for ever. */
export const weightsOf = (quote: RatioQuote): Weights => {
  const known = byQuote.get(quote);
  if (known !== undefined) return known;
  const weights = byText(quote);
  byQuote.set(quote, weights);
  return weights;
};

/** `price × units per USD × group ratio`, rounded once. */
export const fixedPrice = (quote: PriceQuote): bigint => {
  const key = `${quote.modelPrice} ${quote.groupRatio} ${quote.quotaPerUnit}`;
  const known = fixed.get(key);
  if (known !== undefined) return known;
  const usd = multiply(parseDecimal(quote.modelPrice), parseDecimal(quote.groupRatio));
  const { digits, scale } = multiply(usd, parseDecimal(String(quote.quotaPerUnit)));
  return remember(fixed, key, divideHalfAwayFromZero(digits, tenToThe(scale)));
};
