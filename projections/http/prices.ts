import { compilePrices, type PriceTable } from '../../domain/pricing/compile-prices.ts';
import type { Lookups } from './lookups.ts';

const compiled = new WeakMap<ReadonlyMap<string, string>, PriceTable>();

/** The price table of the options as they are; compiled once for each state of the options. */
export const currentPrices = async (lookups: Lookups): Promise<PriceTable> => {
  const options = await lookups.options();
  const known = compiled.get(options);
  if (known !== undefined) return known;
  const prices = compilePrices(options);
  compiled.set(options, prices);
  return prices;
};
