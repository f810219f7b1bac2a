import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { redemptionStates } from '../../../../projections/contract/codes.ts';
import type { RedemptionRow } from '../../../../projections/contract/redemption.ts';
import { deleteJson, getJson, postJson, putJson } from '../../../shared/api/client.ts';
import { useRowChange } from '../../../shared/hooks/use-row-change.ts';

export type { RedemptionRow };

type RedemptionPage = Readonly<{ items: readonly RedemptionRow[]; total: number }>;
export type RedemptionView = Readonly<{ page: number; pageSize: number; keyword: string }>;
/** Quota in units. */
export type RedemptionForm = Readonly<{ name: string; quota: number }>;

export const useRedemptions = ({ page, pageSize, keyword }: RedemptionView) =>
  useQuery({
    queryKey: ['redemption', 'list', { page, pageSize, keyword }],
    queryFn: () => {
      const paging = { p: page, page_size: pageSize };
      return keyword === ''
        ? getJson<RedemptionPage>('/api/redemption/', paging)
        : getJson<RedemptionPage>('/api/redemption/search', { ...paging, keyword });
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

/** Answers with the codes. The caller shows what was refused, as for the next. */
export const useCreateRedemptions = () =>
  useChange(
    (form: RedemptionForm & Readonly<{ count: number }>) =>
      postJson<string[]>('/api/redemption/', form),
    true,
  );
export const useUpdateRedemption = () =>
  useChange(
    (form: RedemptionForm & Readonly<{ id: number }>) => putJson('/api/redemption/', form),
    true,
  );
type Switch = Readonly<{ id: number; isOn: boolean }>;
const statusOf = ({ isOn }: Switch) => (isOn ? redemptionStates.unused : redemptionStates.disabled);

export const useSwitchRedemption = () =>
  useRowChange({
    lists: ['redemption', 'list'],
    mutationFn: (change: Switch) =>
      putJson('/api/redemption/?status_only=true', { id: change.id, status: statusOf(change) }),
    wanted: (change) => ({ status: statusOf(change) }),
  });
export const useDeleteRedemption = () =>
  useChange((id: number) => deleteJson(`/api/redemption/${id}`));
