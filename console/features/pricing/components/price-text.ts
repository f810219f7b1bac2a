import { quotaTypes } from '../../../../projections/contract/codes.ts';
import { sharedPlaces } from '../../../shared/format/quota.ts';
import type { PricingRow } from '../api/pricing.ts';

/** A ratio of 1 is this many dollars for a million tokens. */
const dollarsPerRatio = 2;

/** At most six decimals, without the noise of binary fractions. */
export const plain = (value: number): string => String(Number(value.toFixed(6)));

/** Dollars for a million tokens, in the selected group. */
const promptPrice = (row: PricingRow, groupRatio: number): number =>
  row.model_ratio * dollarsPerRatio * groupRatio;

const completionPrice = (row: PricingRow, groupRatio: number): number =>
  promptPrice(row, groupRatio) * row.completion_ratio;

/** Dollars for one call or one second. */
const callPrice = (row: PricingRow, groupRatio: number): number => row.model_price * groupRatio;

type Prices = Readonly<{ prompt: number; completion: number }> | Readonly<{ call: number }>;

const pricesOf = (row: PricingRow, groupRatio: number): Prices =>
  row.quota_type === quotaTypes.byCall
    ? { call: callPrice(row, groupRatio) }
    : { prompt: promptPrice(row, groupRatio), completion: completionPrice(row, groupRatio) };

export type PriceTexts =
  | Readonly<{ prompt: string; completion: string }>
  | Readonly<{ call: string }>;

/** What models cost, with as many places for each: prices below each other are compared. */
export const priceTexts = (
  rows: readonly PricingRow[],
  groupRatio: number,
): ((row: PricingRow) => PriceTexts) => {
  const priced = rows.filter(({ has_price }) => has_price);
  const places = sharedPlaces(
    priced.flatMap((row) => Object.values(pricesOf(row, groupRatio)).map(plain)),
  );
  const dollars = (value: number): string => `$${value.toFixed(places)}`;
  return (row) => {
    const prices = pricesOf(row, groupRatio);
    return 'call' in prices
      ? { call: dollars(prices.call) }
      : { prompt: dollars(prices.prompt), completion: dollars(prices.completion) };
  };
};
