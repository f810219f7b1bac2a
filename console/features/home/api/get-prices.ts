import { queryOptions, useQuery } from '@tanstack/react-query';
import { quotaTypes } from '../../../../projections/contract/codes.ts';
import type { PricingRow } from '../../../../projections/contract/pricing.ts';
import { callForAnswer } from '../../../shared/api/client.ts';

/** In US dollars, tokens by the million. */
export type OfferedPrice = Readonly<{ model: string }> &
  Readonly<
    { kind: 'tokens'; input: number; output: number } | { kind: 'call' | 'second'; dollars: number }
  >;

/** A ratio of 1 is this many dollars for a million tokens. */
const dollarsPerRatio = 2;
const shown = 8;
const defaultGroup = 'default';

const offeredPrice = (row: PricingRow, groupRatio: number): OfferedPrice => {
  const model = row.model_name;
  if (row.quota_type === quotaTypes.byCall) {
    const kind = row.by_second ? 'second' : 'call';
    return { model, kind, dollars: row.model_price * groupRatio };
  }
  const input = row.model_ratio * dollarsPerRatio * groupRatio;
  return { model, kind: 'tokens', input, output: input * row.completion_ratio };
};

const pricesQuery = queryOptions({
  queryKey: ['home', 'prices'],
  queryFn: async (): Promise<readonly OfferedPrice[]> => {
    const { data, group_ratio } = await callForAnswer('GET /api/pricing');
    return (data ?? [])
      .filter(({ has_price }) => has_price)
      .slice(0, shown)
      .map((row) => offeredPrice(row, group_ratio?.[defaultGroup] ?? 1));
  },
  meta: { isQuiet: true },
});
export const useOfferedPrices = () => useQuery(pricesQuery);
