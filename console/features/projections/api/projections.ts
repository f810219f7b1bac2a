import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ProjectionRow } from '../../../../projections/contract/projection.ts';
import { getJson, postJson } from '../../../shared/api/client.ts';

export type { ProjectionRow };

const key = ['projections'];
/** Often enough that a progress bar moves, rarely enough that nobody notices the calls. */
const pollMs = 2_000;

/** Asks again by itself until it is paused. */
export const useProjections = (isPaused: boolean) =>
  useQuery({
    queryKey: key,
    queryFn: () => getJson<ProjectionRow[]>('/api/projections'),
    refetchInterval: isPaused ? false : pollMs,
    meta: { isQuiet: true },
  });

export const useRebuild = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: string) =>
      postJson(`/api/projections/${encodeURIComponent(name)}/rebuild`, {}),
    onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
  });
};
