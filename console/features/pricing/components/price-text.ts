import type { PricingRow } from '../api/pricing.ts';

/** A ratio of 1 is this many dollars for a million tokens. */
const dollarsPerRatio = 2;

/** At most six decimals, without the noise of binary fractions. */
export const plain = (value: number): string => String(Number(value.toFixed(6)));
const dollars = (value: number): string => `$${plain(value)}`;

/** Dollars for a million tokens, in the group that is looked at. */
export const promptPrice = (row: PricingRow, groupRatio: number): string =>
  dollars(row.model_ratio * dollarsPerRatio * groupRatio);

export const completionPrice = (row: PricingRow, groupRatio: number): string =>
  dollars(row.model_ratio * row.completion_ratio * dollarsPerRatio * groupRatio);

/** Dollars for one call. */
export const callPrice = (row: PricingRow, groupRatio: number): string =>
  dollars(row.model_price * groupRatio);
