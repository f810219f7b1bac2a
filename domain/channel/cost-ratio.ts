import { formatDecimal, parseDecimal } from '../shared/decimal.ts';

const shape = /^\d{1,4}(\.\d{1,6})?$/;
const maxRatio = 1_000;

/** What a provider charges, as a ratio of the list price: "0.8". */
export const isCostRatio = (text: string): boolean => shape.test(text) && Number(text) <= maxRatio;

/** One spelling for each ratio: sums are kept by it. What is no ratio stays as it was entered. */
export const tidyCostRatio = (text: string): string => {
  const trimmed = text.trim();
  return isCostRatio(trimmed) ? formatDecimal(parseDecimal(trimmed)) : trimmed;
};
