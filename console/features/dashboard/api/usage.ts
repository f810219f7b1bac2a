import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { BalanceSeries } from '../../../../projections/contract/ledger.ts';
import type { DataRow } from '../../../../projections/contract/log.ts';
import { getJson } from '../../../shared/api/client.ts';
import { nowSeconds } from '../../../shared/format/time.ts';

export type { DataRow };

/** Unix seconds. `username` narrows the view of an administrator; empty: all users. */
export type UsageView = Readonly<{
  start: number;
  end: number;
  defaultTime: string;
  username: string;
  isAdmin: boolean;
}>;

const usageQuery = ({ start, end, defaultTime, username, isAdmin }: UsageView) =>
  queryOptions({
    queryKey: ['dashboard', 'usage', { start, end, defaultTime, username, isAdmin }],
    queryFn: () =>
      getJson<DataRow[]>(isAdmin ? '/api/data/' : '/api/data/self', {
        start_timestamp: start,
        end_timestamp: end,
        default_time: defaultTime,
        ...(isAdmin && username !== '' && { username }),
      }),
    placeholderData: keepPreviousData,
  });
export const useUsage = (view: UsageView) => useQuery(usageQuery(view));

export type BalancePoint = BalanceSeries[number];

const balanceQuery = (start: number, end: number) =>
  queryOptions({
    queryKey: ['dashboard', 'balance', { start, end }],
    queryFn: () =>
      getJson<BalanceSeries>('/api/ledger/self/balances', {
        start_timestamp: start,
        end_timestamp: Math.min(end, nowSeconds()),
      }),
    placeholderData: keepPreviousData,
    meta: { isQuiet: true },
  });
export const useBalanceHistory = (start: number, end: number) => useQuery(balanceQuery(start, end));
