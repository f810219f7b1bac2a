import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { JobRow } from '../../../../command-api/contract/job.ts';
import { call } from '../../../shared/api/client.ts';

export type { JobRow };
export type RunRow = JobRow['runs'][number];

const key = ['jobs'];
const pollMs = 5_000;
/** While one runs, so that its end is seen soon. */
const busyPollMs = 1_500;

export const useJobs = () =>
  useQuery({
    queryKey: key,
    queryFn: () => call('GET /api/jobs'),
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ running }) => running !== null) ? busyPollMs : pollMs,
    meta: { isQuiet: true },
  });

export const useRunJob = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => call('POST /api/jobs/:name/run', { params: { name } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
  });
};
