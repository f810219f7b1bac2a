import { queryOptions, useQuery } from '@tanstack/react-query';
import { tokenStates } from '../../../../projections/contract/codes.ts';
import type { TokenRow } from '../../../../projections/contract/token.ts';
import { getArray } from '../../../shared/api/client.ts';

/** The first key that works; null when none does. */
const usableKeyQuery = queryOptions({
  queryKey: ['token', 'usable-key'],
  queryFn: async (): Promise<string | null> => {
    const { items } = await getArray<TokenRow>('/api/token/', { p: 0, size: 100 });
    return items.find(({ status }) => status === tokenStates.enabled)?.key ?? null;
  },
  staleTime: 0,
});
export const useUsableKey = () => useQuery(usableKeyQuery);
