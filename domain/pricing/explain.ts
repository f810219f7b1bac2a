import { add, formatDecimal, negate, wholeDecimal } from '../shared/decimal.ts';
import { type BillLineKey, billLines, type PriceFactor, sumOf, unitsOf } from './bill-lines.ts';
import { isFree } from './counts.ts';
import { price } from './price.ts';
import type { DecimalText, Quote, Usage } from './types.ts';

export type { PriceFactor } from './bill-lines.ts';

type PriceStepKey = BillLineKey | 'minimum' | 'rounding';
/** One line of a bill: `tokens × factors = units`. All lines together are the amount, exactly. */
export type PriceStep = Readonly<{
  key: PriceStepKey;
  /** Tokens, pictures, seconds or calls of a tool; null where the line does not go by a count. */
  tokens: number | null;
  factors: readonly PriceFactor[];
  /** Quota units, signed for the roundings, exact. */
  units: DecimalText;
}>;

/** The bill line by line, for the ledger. Summing `units` gives `price(usage, quote)`. */
export const explain = (usage: Usage, quote: Quote): readonly PriceStep[] => {
  if (isFree(usage, quote)) return [];
  const lines = billLines(usage, quote);
  const steps = lines.map((line) => ({
    key: line.key,
    tokens: line.count,
    factors: line.factors,
    units: formatDecimal(unitsOf(line)),
  }));
  const raw = sumOf(lines);
  const rest = add(wholeDecimal(price(usage, quote)), negate(raw));
  if (rest.digits === 0n) return steps;
  const key = raw.digits <= 0n ? 'minimum' : 'rounding';
  return [...steps, { key, tokens: null, factors: [], units: formatDecimal(rest) }];
};
