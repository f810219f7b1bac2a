import { queryOptions, useQuery } from '@tanstack/react-query';
import type { PricingRow } from '../../../../projections/contract/pricing.ts';
import { getEnvelope } from '../../../shared/api/client.ts';

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
    const answer = await getEnvelope<PricingRow[]>('/api/pricing');
    const group_ratio = answer.group_ratio as Pricing['ratios'] | undefined;
    const usable_group = answer.usable_group as Pricing['groups'] | undefined;
    return {
      rows: [...(answer.data ?? [])].sort(byName),
      ratios: group_ratio ?? {},
      groups: usable_group ?? {},
    };
  },
});
export const usePricing = () => useQuery(pricingQuery);
