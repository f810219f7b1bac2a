import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../../../shared/api/client.ts';
import type { BodyOf } from '../../../shared/api/routes.ts';

const setupQuery = queryOptions({
  queryKey: ['site', 'setup'],
  queryFn: () => call('GET /api/setup'),
});

export const useSetupStatus = () => useQuery(setupQuery);

export const useInitialise = () =>
  useMutation({
    meta: { isQuiet: true },
    mutationFn: (body: BodyOf<'POST /api/setup'>) => call('POST /api/setup', { body }),
  });
