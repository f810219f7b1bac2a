import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UserSession } from '../../../../projections/contract/user.ts';
import { call } from '../../../shared/api/client.ts';

export type { UserSession };

const sessionsQuery = queryOptions({
  queryKey: ['user', 'sessions'],
  queryFn: () => call('GET /api/user/sessions'),
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
  useEnding((id: string) => call('DELETE /api/user/sessions/:id', { params: { id } }));

/** "Sign out everywhere"; here as well unless `isKept`. */
export const useEndSessions = () =>
  useMutation({
    mutationFn: ({ isKept }: Readonly<{ isKept: boolean }>) =>
      call('DELETE /api/user/sessions', { query: { keep_current: isKept || undefined } }),
  });
