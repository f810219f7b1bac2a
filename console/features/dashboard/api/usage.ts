import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { LedgerPage } from '../../../../projections/contract/ledger.ts';
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

export type BalancePoint = Readonly<{ at: number; balance: number }>;

/** Instants over the range, each with the exact balance that the ledger has for that second. */
const looksBack = 16;

const balanceQuery = (start: number, end: number) =>
  queryOptions({
    queryKey: ['dashboard', 'balance', { start, end }],
    queryFn: async (): Promise<readonly BalancePoint[]> => {
      const last = Math.min(end, nowSeconds());
      const step = Math.max(1, (last - start) / (looksBack - 1));
      const moments = Array.from({ length: looksBack }, (_, at) => Math.floor(start + at * step));
      return Promise.all(
        moments
          .filter((at) => at <= last)
          .map(async (at) => {
            const query = { p: 1, page_size: 1, as_of: at };
            const { balance } = await getJson<LedgerPage>('/api/ledger/self', query);
            return { at, balance };
          }),
      );
    },
    placeholderData: keepPreviousData,
    meta: { isQuiet: true },
  });
export const useBalanceHistory = (start: number, end: number) => useQuery(balanceQuery(start, end));
