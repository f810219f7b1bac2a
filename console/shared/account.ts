import { queryOptions, useQuery } from '@tanstack/react-query';
import type { UserGroups } from '../../projections/contract/user.ts';
import { call } from './api/client.ts';

export type { UserGroups };

export const selfQuery = queryOptions({
  queryKey: ['user', 'self'],
  queryFn: () => call('GET /api/user/self'),
});

/** Models that the signed-in user may call. */
const ownModelsQuery = queryOptions({
  queryKey: ['user', 'models'],
  queryFn: async () => (await call('GET /api/user/models')).sort(),
});

const ownGroupsQuery = queryOptions({
  queryKey: ['user', 'groups'],
  queryFn: () => call('GET /api/user/self/groups'),
});

/** For administrators. */
export const userQuery = (userId: number) =>
  queryOptions({
    queryKey: ['user', 'one', userId],
    queryFn: () => call('GET /api/user/:id', { params: { id: userId } }),
  });

export const useSelf = () => useQuery(selfQuery);
export const useOwnModels = () => useQuery(ownModelsQuery);
export const useOwnGroups = () => useQuery(ownGroupsQuery);
