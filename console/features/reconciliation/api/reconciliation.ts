import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Reconciliation } from '../../../../projections/contract/topup.ts';
import { call } from '../../../shared/api/client.ts';

export type { Reconciliation };
export type OrderView = Readonly<{
  page: number;
  pageSize: number;
  keyword: string;
  status: string;
}>;

export const useReconciliation = () =>
  useQuery({
    queryKey: ['topup', 'reconciliation'],
    queryFn: () => call('GET /api/topup/reconciliation'),
  });

export const useOrders = ({ page, pageSize, keyword, status }: OrderView) =>
  useQuery({
    queryKey: ['topup', 'all-orders', { page, pageSize, keyword, status }],
    queryFn: () =>
      call('GET /api/topup/', { query: { p: page, page_size: pageSize, keyword, status } }),
    placeholderData: keepPreviousData,
  });
