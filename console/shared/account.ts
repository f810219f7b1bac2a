import { queryOptions, useQuery } from '@tanstack/react-query';
import type { SelfRow, UserGroups, UserRow } from '../../projections/contract/user.ts';
import { getJson } from './api/client.ts';

export type { UserGroups };

export const selfQuery = queryOptions({
  queryKey: ['user', 'self'],
  queryFn: () => getJson<SelfRow>('/api/user/self'),
});

/** Models that the signed-in user may call. */
const ownModelsQuery = queryOptions({
  queryKey: ['user', 'models'],
  queryFn: async () => [...(await getJson<string[]>('/api/user/models'))].sort(),
});

const ownGroupsQuery = queryOptions({
  queryKey: ['user', 'groups'],
  queryFn: () => getJson<UserGroups>('/api/user/self/groups'),
});

/** GET /api/user/{id}: for administrators. */
export const userQuery = (userId: number) =>
  queryOptions({
    queryKey: ['user', 'one', userId],
    queryFn: () => getJson<UserRow>(`/api/user/${userId}`),
  });

export const useSelf = () => useQuery(selfQuery);
export const useOwnModels = () => useQuery(ownModelsQuery);
export const useOwnGroups = () => useQuery(ownGroupsQuery);
