import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  VerifyBreakRow,
  VerifyReportRow,
  VerifyState,
} from '../../../../projections/contract/verify.ts';
import { call } from '../../../shared/api/client.ts';

export type { VerifyBreakRow, VerifyReportRow, VerifyState };

const key = ['verify'];
const pollMs = 1_000;

/** Refetches by itself while a run is under way. */
export const useVerify = () =>
  useQuery({
    queryKey: key,
    queryFn: () => call('GET /api/verify'),
    refetchInterval: ({ state }) => (state.data?.running ? pollMs : false),
  });

export const useStartVerify = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call('POST /api/verify'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
  });
};
