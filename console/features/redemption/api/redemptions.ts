import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { redemptionStates } from '../../../../projections/contract/codes.ts';
import type { RedemptionRow } from '../../../../projections/contract/redemption.ts';
import { call } from '../../../shared/api/client.ts';
import { useRowChange } from '../../../shared/hooks/use-row-change.ts';

export type { RedemptionRow };

export type RedemptionView = Readonly<{ page: number; pageSize: number; keyword: string }>;
/** Quota in units. */
export type RedemptionForm = Readonly<{ name: string; quota: number }>;

export const useRedemptions = ({ page, pageSize, keyword }: RedemptionView) =>
  useQuery({
    queryKey: ['redemption', 'list', { page, pageSize, keyword }],
    queryFn: () => {
      const paging = { p: page, page_size: pageSize };
      return keyword === ''
        ? call('GET /api/redemption/', { query: paging })
        : call('GET /api/redemption/search', { query: { ...paging, keyword } });
    },
    placeholderData: keepPreviousData,
  });

const useChange = <T, R>(mutationFn: (input: T) => Promise<R>, isQuiet = false) => {
  const queryClient = useQueryClient();
  return useMutation({
    meta: { isQuiet },
    mutationFn,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['redemption', 'list'] }),
  });
};

/** Returns the codes. The caller shows what was refused, as for the next. */
export const useCreateRedemptions = () =>
  useChange(
    (body: RedemptionForm & Readonly<{ count: number }>) => call('POST /api/redemption/', { body }),
    true,
  );
export const useUpdateRedemption = () =>
  useChange(
    (body: RedemptionForm & Readonly<{ id: number }>) => call('PUT /api/redemption/', { body }),
    true,
  );
type Switch = Readonly<{ id: number; isOn: boolean }>;
const statusOf = ({ isOn }: Switch) => (isOn ? redemptionStates.unused : redemptionStates.disabled);

export const useSwitchRedemption = () =>
  useRowChange({
    lists: ['redemption', 'list'],
    mutationFn: (change: Switch) =>
      call('PUT /api/redemption/', {
        query: { status_only: true },
        body: { id: change.id, status: statusOf(change) },
      }),
    wanted: (change) => ({ status: statusOf(change) }),
  });
export const useDeleteRedemption = () =>
  useChange((id: number) => call('DELETE /api/redemption/:id', { params: { id } }));
