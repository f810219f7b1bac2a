import { explain, type PriceFactor } from '../../domain/pricing/explain.ts';
import type { Quote, Usage } from '../../domain/pricing/types.ts';
import { formatDecimal, multiply, parseDecimal } from '../../domain/shared/decimal.ts';
import type { PriceStepRow } from '../contract/log.ts';

const product = (factors: readonly PriceFactor[]): string => {
  const [first, ...others] = factors.map(({ value }) => parseDecimal(value));
  if (first === undefined) return '';
  return formatDecimal(others.reduce((result, factor) => multiply(result, factor), first));
};

/** Calculation of an amount, line by line; the lines sum up to it exactly. */
export const priceSteps = (usage: Usage, quote: Quote): PriceStepRow[] =>
  explain(usage, quote).map(({ key, tokens, factors, units }) => ({
    label: key,
    quantity: tokens ?? 1,
    ratio: product(factors),
    factors: factors.map((factor) => ({ label: factor.key, value: factor.value })),
    units,
  }));
