import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { UserPage, UserRow } from '../../../../projections/contract/user.ts';
import { getJson, postJson } from '../../../shared/api/client.ts';

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

export type UserAction = 'enable' | 'disable';

export const useManageUser = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: Readonly<{ id: number; action: UserAction }>) =>
      postJson('/api/user/manage', change),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['user', 'list'] }),
  });
};
