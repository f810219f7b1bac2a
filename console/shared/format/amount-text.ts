import { asExactCurrency, formatUnits, type QuotaDisplay } from './quota.ts';

/** For the text `common:exact-amount`. */
type ExactAmount = Readonly<{ count: number; units: string; amount: string }>;

/** Every unit of an amount and what it is worth, for the tooltip of a rounded one. */
export const exactAmount = (units: number, display: QuotaDisplay): ExactAmount => ({
  count: units,
  units: formatUnits(units),
  amount: asExactCurrency(units, display),
});
