import { queryOptions, useQuery } from '@tanstack/react-query';
import type { PricingRow } from '../../../../projections/contract/pricing.ts';
import { callForAnswer } from '../../../shared/api/client.ts';

export type { PricingRow };
export type Pricing = Readonly<{
  rows: readonly PricingRow[];
  /** Group → ratio. */
  ratios: Readonly<Record<string, number>>;
  /** Group → description, of the groups that the visitor may use. */
  groups: Readonly<Record<string, string>>;
}>;

const byName = (a: PricingRow, b: PricingRow): number =>
  Number(b.model_name.startsWith('gpt')) - Number(a.model_name.startsWith('gpt')) ||
  a.model_name.localeCompare(b.model_name);

const pricingQuery = queryOptions({
  queryKey: ['pricing', 'list'],
  queryFn: async (): Promise<Pricing> => {
    const { data, group_ratio, usable_group } = await callForAnswer('GET /api/pricing');
    return {
      rows: [...(data ?? [])].sort(byName),
      ratios: group_ratio ?? {},
      groups: usable_group ?? {},
    };
  },
});
export const usePricing = () => useQuery(pricingQuery);
