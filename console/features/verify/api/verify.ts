import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  VerifyBreakRow,
  VerifyReportRow,
  VerifyState,
} from '../../../../projections/contract/verify.ts';
import { getJson, postJson } from '../../../shared/api/client.ts';

export type { VerifyBreakRow, VerifyReportRow, VerifyState };

const key = ['verify'];
const pollMs = 1_000;

/** Refetches by itself while a run is under way. */
export const useVerify = () =>
  useQuery({
    queryKey: key,
    queryFn: () => getJson<VerifyState>('/api/verify'),
    refetchInterval: ({ state }) => (state.data?.running ? pollMs : false),
  });

export const useStartVerify = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => postJson('/api/verify', {}),
    onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
  });
};
