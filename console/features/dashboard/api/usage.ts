import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { DataRow } from '../../../../projections/contract/log.ts';
import { call } from '../../../shared/api/client.ts';
import { nowSeconds } from '../../../shared/format/time.ts';

export type { DataRow };

/** Unix seconds. `username` narrows the view of an administrator; empty: all users. */
export type UsageView = Readonly<{
  start: number;
  end: number;
  username: string;
  isAdmin: boolean;
}>;

const usageQuery = ({ start, end, username, isAdmin }: UsageView) =>
  queryOptions({
    queryKey: ['dashboard', 'usage', { start, end, username, isAdmin }],
    queryFn: () =>
      call(isAdmin ? 'GET /api/data/' : 'GET /api/data/self', {
        query: {
          start_timestamp: start,
          end_timestamp: end,
          ...(isAdmin && username !== '' && { username }),
        },
      }),
    placeholderData: keepPreviousData,
  });
export const useUsage = (view: UsageView) => useQuery(usageQuery(view));

const balanceQuery = (start: number, end: number) =>
  queryOptions({
    queryKey: ['dashboard', 'balance', { start, end }],
    queryFn: () =>
      call('GET /api/ledger/self/balances', {
        query: { start_timestamp: start, end_timestamp: Math.min(end, nowSeconds()) },
      }),
    placeholderData: keepPreviousData,
    meta: { isQuiet: true },
  });
export const useBalanceHistory = (start: number, end: number) => useQuery(balanceQuery(start, end));
