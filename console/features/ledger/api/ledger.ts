import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type {
  LedgerEntry,
  LedgerKind,
  LedgerPage,
} from '../../../../projections/contract/ledger.ts';
import { getJson } from '../../../shared/api/client.ts';

export type { LedgerEntry, LedgerKind, LedgerPage };

/** As in the address; times in Unix seconds, empty for open. */
export type LedgerFilters = Readonly<{
  kind: string;
  start_timestamp: string;
  end_timestamp: string;
}>;
export type LedgerView = Readonly<{
  /** Null: the signed-in person's own. */
  userId: number | null;
  filters: LedgerFilters;
  page: number;
  pageSize: number;
}>;

export const ledgerQuery = ({ userId, filters, page, pageSize }: LedgerView) =>
  queryOptions({
    queryKey: ['ledger', 'page', { userId, ...filters, page, pageSize }],
    queryFn: () =>
      getJson<LedgerPage>(`/api/ledger/${userId ?? 'self'}`, {
        p: page,
        page_size: pageSize,
        kind: filters.kind || undefined,
        start_timestamp: filters.start_timestamp || undefined,
        end_timestamp: filters.end_timestamp || undefined,
      }),
    placeholderData: keepPreviousData,
  });

export const useLedger = (view: LedgerView) => useQuery(ledgerQuery(view));
