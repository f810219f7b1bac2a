import {
  compare,
  type Decimal,
  digitsAtScale,
  divideHalfAwayFromZero,
  formatDecimal,
  multiply,
  parseDecimal,
  roundHalfAwayFromZero,
  tenToThe,
  wholeDecimal,
} from '../shared/decimal.ts';
import type { QuotaUnits } from '../shared/quota.ts';
import { bonusPercentOf } from './bonus.ts';
import type { TopUpTerms } from './events.ts';

export type TopUpQuote = Readonly<{
  /** Decimal text. */
  dollars: string;
  /** Whole minor units of the currency. */
  payableMinor: number;
  quota: QuotaUnits;
  bonusPercent: number;
  bonusQuota: QuotaUnits;
}>;
export type QuoteProblem = 'invalid-amount' | 'too-cheap' | 'too-much';

const minorDigits = 100n;
/** Places of the dollars that a person reads; quota units are the exact figure. */
const dollarPlaces = 6;
/** Of one order; an account can hold ninety of them and still counts exactly. */
const largestCredit = 100_000_000_000_000n;

/** Quota units of the amount, exact. */
const unitsOf = ({ amount, inCurrency, quotaPerUnit }: TopUpTerms): Decimal =>
  inCurrency ? multiply(wholeDecimal(amount), parseDecimal(quotaPerUnit)) : wholeDecimal(amount);

/** `units / quotaPerUnit` in steps of `10^-places`, rounded once. */
const dollarsText = (units: Decimal, perUnit: Decimal): string => {
  const scale = Math.max(units.scale, perUnit.scale);
  const numerator = digitsAtScale(units, scale) * tenToThe(dollarPlaces);
  const digits = divideHalfAwayFromZero(numerator, digitsAtScale(perUnit, scale));
  return formatDecimal({ digits, scale: dollarPlaces });
};

const bonusOf = (units: Decimal, percent: number): bigint => {
  const exact = multiply(units, { digits: BigInt(percent), scale: 2 });
  const unit = tenToThe(exact.scale);
  return (exact.digits + unit - 1n) / unit;
};

/** `dollars × price × ratio` as a fraction of whole minor units. */
const payableOf = (units: Decimal, terms: TopUpTerms): readonly [bigint, bigint] => {
  const perUnit = parseDecimal(terms.quotaPerUnit);
  const product = multiply(
    multiply(units, parseDecimal(terms.price)),
    parseDecimal(terms.groupRatio),
  );
  const numerator = product.digits * minorDigits * tenToThe(perUnit.scale);
  return [numerator, perUnit.digits * tenToThe(product.scale)];
};

/**
 * What an amount costs and brings (infra/reference/payments.md). Exact until the one rounding of
 * each figure: the payable to the nearest minor unit, halves up; the bonus up to a whole unit.
 */
export const quoteTopUp = (terms: TopUpTerms): TopUpQuote | QuoteProblem => {
  if (!Number.isSafeInteger(terms.amount) || terms.amount <= 0) return 'invalid-amount';
  const perUnit = parseDecimal(terms.quotaPerUnit);
  const units = unitsOf(terms);
  const bonusPercent = bonusPercentOf((threshold) =>
    compare(units, multiply(wholeDecimal(threshold), perUnit)),
  );
  const quota = roundHalfAwayFromZero(units);
  const bonusQuota = bonusOf(units, bonusPercent);
  const [numerator, denominator] = payableOf(units, terms);
  if (numerator < denominator) return 'too-cheap';
  const payableMinor = divideHalfAwayFromZero(numerator, denominator);
  if (quota + bonusQuota > largestCredit || payableMinor > largestCredit) return 'too-much';
  return {
    dollars: dollarsText(units, perUnit),
    payableMinor: Number(payableMinor),
    quota: Number(quota),
    bonusPercent,
    bonusQuota: Number(bonusQuota),
  };
};

/** The minimum in the unit in which amounts are entered; `minimum` is in dollars. */
export const minAmount = (
  minimum: number,
  { inCurrency, quotaPerUnit }: Pick<TopUpTerms, 'inCurrency' | 'quotaPerUnit'>,
): number => {
  if (inCurrency) return minimum;
  const exact = multiply(wholeDecimal(minimum), parseDecimal(quotaPerUnit));
  const unit = tenToThe(exact.scale);
  return Number((exact.digits + unit - 1n) / unit);
};

/** 7200 → "72.00" */
export const moneyText = (amountMinor: number): string => {
  const text = String(amountMinor).padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)}`;
};

/** "72", "72.0" or "72.00" → 7200; null for anything that is no sum of money to the cent. */
export const minorOf = (text: string): number | null => {
  const match = /^(\d{1,12})(?:\.(\d{1,2})0*)?$/.exec(text);
  if (match === null) return null;
  const [, whole = '', cents = ''] = match;
  return Number(whole) * 100 + Number(cents.padEnd(2, '0'));
};
