import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ProjectionRow } from '../../../../projections/contract/projection.ts';
import { getJson, postJson } from '../../../shared/api/client.ts';
import { useLive } from '../../../shared/hooks/use-live.ts';

export type { ProjectionRow };

const key = ['projections'];
/** Often enough that a progress bar moves, rarely enough that nobody notices the calls. */
const pollMs = 2_000;
/** Speed and lag fade without an event. */
const idlePollMs = 10_000;

/** Asks again by itself until it is paused: on every move, and while a rebuild runs. */
export const useProjections = (isPaused: boolean) => {
  useLive({ readModels: 'every', queryKey: key, isPaused, leastGapMs: pollMs });
  return useQuery({
    queryKey: key,
    queryFn: () => getJson<ProjectionRow[]>('/api/projections'),
    refetchInterval: ({ state: { data } }) => {
      if (isPaused) return false;
      return data?.some(({ state }) => state === 'rebuilding') ? pollMs : idlePollMs;
    },
    meta: { isQuiet: true },
  });
};

export const useRebuild = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: string) =>
      postJson(`/api/projections/${encodeURIComponent(name)}/rebuild`, {}),
    onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
  });
};
