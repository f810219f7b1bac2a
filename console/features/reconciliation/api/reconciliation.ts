import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Reconciliation, TopUpPage } from '../../../../projections/contract/topup.ts';
import { getJson } from '../../../shared/api/client.ts';

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
    queryFn: () => getJson<Reconciliation>('/api/topup/reconciliation'),
  });

export const useOrders = ({ page, pageSize, keyword, status }: OrderView) =>
  useQuery({
    queryKey: ['topup', 'all-orders', { page, pageSize, keyword, status }],
    queryFn: () =>
      getJson<TopUpPage>('/api/topup/', { p: page, page_size: pageSize, keyword, status }),
    placeholderData: keepPreviousData,
  });
