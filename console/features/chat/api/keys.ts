import { queryOptions, useQuery } from '@tanstack/react-query';
import { tokenStates } from '../../../../projections/contract/codes.ts';
import { call } from '../../../shared/api/client.ts';

/** The first key that works; null when none does. */
const usableKeyQuery = queryOptions({
  queryKey: ['token', 'usable-key'],
  queryFn: async (): Promise<string | null> => {
    const tokens = await call('GET /api/token/', { query: { p: 0, size: 100 } });
    return tokens.find(({ status }) => status === tokenStates.enabled)?.key ?? null;
  },
  staleTime: 0,
});
export const useUsableKey = () => useQuery(usableKeyQuery);
