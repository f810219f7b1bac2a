import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { LagPoint, ProjectionRow } from '../../../../projections/contract/projection.ts';
import { call } from '../../../shared/api/client.ts';
import { useLive } from '../../../shared/hooks/use-live.ts';

export type { LagPoint, ProjectionRow };

const key = ['projections'];
/** Often enough for a progress bar to move, rarely enough for the load not to matter. */
const pollMs = 2_000;
/** Speed and lag fade without an event. */
const idlePollMs = 10_000;

/** Refetches by itself until it is paused: on every change, and while a rebuild runs. */
export const useProjections = (isPaused: boolean) => {
  useLive({ readModels: 'every', queryKey: key, isPaused, minGapMs: pollMs });
  return useQuery({
    queryKey: key,
    queryFn: () => call('GET /api/projections'),
    refetchInterval: ({ state: { data } }) => {
      if (isPaused) return false;
      return data?.some(({ state }) => state === 'rebuilding') ? pollMs : idlePollMs;
    },
    meta: { isQuiet: true },
  });
};

/** A point is a minute. */
const lagPollMs = 60_000;

export const useLags = () =>
  useQuery({
    queryKey: ['projection-lag'],
    queryFn: () => call('GET /api/projections/lag'),
    refetchInterval: lagPollMs,
    meta: { isQuiet: true },
  });

export const useRebuild = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => call('POST /api/projections/:name/rebuild', { params: { name } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
  });
};
