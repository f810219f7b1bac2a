import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UserSession } from '../../../../projections/contract/user.ts';
import { deleteJson, getJson } from '../../../shared/api/client.ts';

export type { UserSession };

const sessionsQuery = queryOptions({
  queryKey: ['user', 'sessions'],
  queryFn: () => getJson<UserSession[]>('/api/user/sessions'),
});

export const useSessions = () => useQuery(sessionsQuery);

const useEnding = <T>(mutationFn: (input: T) => Promise<unknown>) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
};

export const useEndSession = () =>
  useEnding((id: string) => deleteJson(`/api/user/sessions/${encodeURIComponent(id)}`));

/** "Sign out everywhere"; here as well unless `isKept`. */
export const useEndSessions = () =>
  useMutation({
    mutationFn: ({ isKept }: Readonly<{ isKept: boolean }>) =>
      deleteJson(`/api/user/sessions${isKept ? '?keep_current=true' : ''}`),
  });
