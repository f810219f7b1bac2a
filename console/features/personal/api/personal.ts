import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { selfQuery } from '../../../shared/account.ts';
import { call } from '../../../shared/api/client.ts';
import type { BodyOf, Filled } from '../../../shared/api/routes.ts';

/** Issues a new access token each time and revokes the old one. */
export const useIssueAccessToken = () =>
  useMutation({ mutationFn: () => call('GET /api/user/token') });

export const useChangePassword = () =>
  useMutation({
    meta: { isQuiet: true },
    mutationFn: (body: Readonly<{ original_password: string; password: string }>) =>
      call('PUT /api/user/self', { body }),
  });

/** The caller shows what was refused. */
const useSelfChange = <T>(mutationFn: (input: T) => Promise<unknown>) => {
  const queryClient = useQueryClient();
  return useMutation({
    meta: { isQuiet: true },
    mutationFn,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: selfQuery.queryKey }),
  });
};

/** An empty secret keeps the old one. */
export type SettingChange = Filled<BodyOf<'PUT /api/user/setting'>>;
export const useSaveSetting = () =>
  useSelfChange((body: SettingChange) => call('PUT /api/user/setting', { body }));

/** From the rewards for inviting to the balance, in quota units. */
export const useTransferReward = () =>
  useSelfChange((quota: number) => call('POST /api/user/aff_transfer', { body: { quota } }));

export const useAffCode = () =>
  useQuery({ queryKey: ['user', 'aff'], queryFn: () => call('GET /api/user/aff') });

export const useDeleteSelf = () => useMutation({ mutationFn: () => call('DELETE /api/user/self') });
