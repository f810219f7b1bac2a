import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import type { SetupStatus } from '../../../../projections/contract/status.ts';
import { getJson, postJson } from '../../../shared/api/client.ts';

const setupQuery = queryOptions({
  queryKey: ['site', 'setup'],
  queryFn: () => getJson<SetupStatus>('/api/setup'),
});

export const useSetupStatus = () => useQuery(setupQuery);

export type SetupForm = Readonly<{
  username: string;
  password: string;
  confirmPassword: string;
  SelfUseModeEnabled: boolean;
  DemoSiteEnabled: boolean;
}>;

export const useInitialise = () =>
  useMutation({
    meta: { isQuiet: true },
    mutationFn: (form: SetupForm) => postJson('/api/setup', form),
  });
