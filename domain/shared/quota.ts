import { type Shape, whole } from './shape.ts';

/** Whole units, a safe integer of at least 0. 500,000 units are 1 USD by default. */
export type QuotaUnits = number;
/** A signed change in whole units. */
export type QuotaDelta = number;

export const quotaUnits: Shape<QuotaUnits> = whole;
export const quotaDelta: Shape<QuotaDelta> = whole;

export const isQuotaUnits = (value: unknown): value is QuotaUnits =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

export const isQuotaDelta = (value: unknown): value is QuotaDelta =>
  typeof value === 'number' && Number.isSafeInteger(value);
