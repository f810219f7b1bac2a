import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type {
  LedgerEntry,
  LedgerKind,
  LedgerPage,
} from '../../../../projections/contract/ledger.ts';
import { call } from '../../../shared/api/client.ts';
import type { QueryOf } from '../../../shared/api/routes.ts';
import { download } from '../../../shared/download.ts';

export type { LedgerEntry, LedgerKind, LedgerPage };

/** As in the address; times in Unix seconds, empty for open. */
type LedgerFilters = Readonly<{
  kind: string;
  start_timestamp: string;
  end_timestamp: string;
  /** The account as it was then; empty for now. */
  as_of: string;
}>;
export type LedgerView = Readonly<{
  /** Null: the signed-in user's own. */
  userId: number | null;
  filters: LedgerFilters;
  page: number;
  pageSize: number;
}>;

/** `userId` null: the own one. */
const readLedger = (userId: number | null, query: QueryOf<'GET /api/ledger/self'>) =>
  userId === null
    ? call('GET /api/ledger/self', { query })
    : call('GET /api/ledger/:userId', { params: { userId }, query });

const ledgerQuery = ({ userId, filters, page, pageSize }: LedgerView) =>
  queryOptions({
    queryKey: ['ledger', 'page', { userId, ...filters, page, pageSize }],
    queryFn: () =>
      readLedger(userId, {
        p: page,
        page_size: pageSize,
        kind: filters.kind || undefined,
        start_timestamp: filters.start_timestamp || undefined,
        end_timestamp: filters.end_timestamp || undefined,
        as_of: filters.as_of || undefined,
      }),
    placeholderData: keepPreviousData,
  });

export const useLedger = (view: LedgerView) => useQuery(ledgerQuery(view));

/** Unix seconds of the first movement, where the history begins; null when nothing ever moved. */
export const useOldest = (userId: number | null) =>
  useQuery({
    queryKey: ['ledger', 'oldest', userId],
    queryFn: async () => {
      const at = (p: number) => readLedger(userId, { p, page_size: 1 });
      const newest = await at(1);
      const oldest = newest.total > 1 ? await at(newest.total) : newest;
      return oldest.items[0]?.at ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
    meta: { isQuiet: true },
  });

export const exportLedger = (
  { userId, filters }: Pick<LedgerView, 'userId' | 'filters'>,
  format: 'csv' | 'json',
  stamp: string,
) => {
  const given = Object.entries(filters).filter(([, value]) => value !== '');
  const name = `ledger_${userId ?? 'own'}_${stamp}.${format}`;
  const path = `/api/ledger/${userId ?? 'self'}/export`;
  return download(path, { ...Object.fromEntries(given), format }, name);
};
