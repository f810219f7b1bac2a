import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { UserAction } from '../../../../command-api/contract/user.ts';
import { roles, userStates } from '../../../../projections/contract/codes.ts';
import type { UserRow } from '../../../../projections/contract/user.ts';
import { call } from '../../../shared/api/client.ts';
import { useRowChange } from '../../../shared/hooks/use-row-change.ts';

export type { UserAction, UserRow };
export type UserView = Readonly<{ page: number; pageSize: number; keyword: string; group: string }>;

const usersQuery = ({ page, pageSize, keyword, group }: UserView) =>
  queryOptions({
    queryKey: ['user', 'list', { page, pageSize, keyword, group }],
    queryFn: () => {
      const paging = { p: page, page_size: pageSize };
      return keyword === '' && group === ''
        ? call('GET /api/user/', { query: paging })
        : call('GET /api/user/search', { query: { ...paging, keyword, group } });
    },
    placeholderData: keepPreviousData,
  });

export const useUsers = (view: UserView) => useQuery(usersQuery(view));

/** The caller shows what was refused. */
const useChange = <T>(mutationFn: (input: T) => Promise<unknown>) => {
  const queryClient = useQueryClient();
  return useMutation({
    meta: { isQuiet: true },
    mutationFn,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['user', 'list'] }),
  });
};

type Managed = Readonly<{ id: number; action: UserAction; reason?: string }>;

/** The row shows these at once; of the others it takes what the server answers. */
const wantedOf = ({ action }: Managed): Partial<Pick<UserRow, 'role' | 'status'>> => {
  switch (action) {
    case 'enable':
      return { status: userStates.active };
    case 'disable':
      return { status: userStates.banned };
    case 'promote':
      return { role: roles.admin };
    case 'demote':
      return { role: roles.user };
    case 'delete':
    case 'end_sessions':
    case 'remove_second_factors':
      return {};
  }
};

export const useManageUser = () =>
  useRowChange({
    lists: ['user', 'list'],
    mutationFn: (body: Managed) => call('POST /api/user/manage', { body }),
    wanted: wantedOf,
    answered: (answer) => answer ?? {},
  });

/** Groups that have a ratio. */
export const useAllGroups = () =>
  useQuery({ queryKey: ['user', 'all-groups'], queryFn: () => call('GET /api/group/') });

/** The own name; a password is changed on the personal page, which requires the old one. */
export const useEditSelf = () =>
  useChange((body: Readonly<{ username: string; display_name: string }>) =>
    call('PUT /api/user/self', { body }),
  );

export type NewUser = Readonly<{ username: string; display_name: string; password: string }>;
export const useCreateUser = () => useChange((body: NewUser) => call('POST /api/user/', { body }));

/** Quota in units; an empty password stays as it is. */
export type UserEdit = NewUser &
  Readonly<{ id: number; group: string; quota: number; quota_seen: number; reason?: string }>;
export const useEditUser = () => useChange((body: UserEdit) => call('PUT /api/user/', { body }));
