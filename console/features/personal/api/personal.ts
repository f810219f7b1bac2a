import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UserSetting } from '../../../../projections/contract/user.ts';
import { selfQuery } from '../../../shared/account.ts';
import { deleteJson, getJson, postJson, putJson } from '../../../shared/api/client.ts';

/** GET /api/user/token: makes a new system token each time and revokes the old one. */
export const useIssueAccessToken = () =>
  useMutation({ mutationFn: () => getJson<string>('/api/user/token') });

export const useChangePassword = () =>
  useMutation({
    meta: { isQuiet: true },
    mutationFn: (form: Readonly<{ original_password: string; password: string }>) =>
      putJson('/api/user/self', form),
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
export type SettingChange = Omit<UserSetting, 'webhook_secret_set'> &
  Readonly<{ webhook_secret: string }>;
export const useSaveSetting = () =>
  useSelfChange((setting: SettingChange) => putJson('/api/user/setting', setting));

/** From the rewards for inviting to the balance, in quota units. */
export const useTransferReward = () =>
  useSelfChange((quota: number) => postJson('/api/user/aff_transfer', { quota }));

export const useAffCode = () =>
  useQuery({ queryKey: ['user', 'aff'], queryFn: () => getJson<string>('/api/user/aff') });

export const useDeleteSelf = () => useMutation({ mutationFn: () => deleteJson('/api/user/self') });
