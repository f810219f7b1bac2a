import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { UserPage, UserRow } from '../../../../projections/contract/user.ts';
import { getJson, postJson, putJson } from '../../../shared/api/client.ts';

export type { UserRow };
export type UserView = Readonly<{ page: number; pageSize: number; keyword: string }>;

export const usersQuery = ({ page, pageSize, keyword }: UserView) =>
  queryOptions({
    queryKey: ['user', 'list', { page, pageSize, keyword }],
    queryFn: () => {
      const paging = { p: page, page_size: pageSize };
      return keyword === ''
        ? getJson<UserPage>('/api/user/', paging)
        : getJson<UserPage>('/api/user/search', { ...paging, keyword, group: '' });
    },
    placeholderData: keepPreviousData,
  });

export const useUsers = (view: UserView) => useQuery(usersQuery(view));

export type UserAction = 'enable' | 'disable' | 'promote' | 'demote' | 'delete';

const useChange = <T>(mutationFn: (input: T) => Promise<unknown>) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['user', 'list'] }),
  });
};

export const useManageUser = () =>
  useChange((change: Readonly<{ id: number; action: UserAction }>) =>
    postJson('/api/user/manage', change),
  );

export type NewUser = Readonly<{ username: string; display_name: string; password: string }>;
export const useCreateUser = () => useChange((user: NewUser) => postJson('/api/user/', user));

/** Quota in units; an empty password stays as it is. */
export type UserEdit = NewUser &
  Readonly<{ id: number; group: string; quota: number; quota_seen: number }>;
export const useEditUser = () => useChange((edit: UserEdit) => putJson('/api/user/', edit));
