import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { listenLive, type Moved } from '../api/live.ts';

type Follow = Readonly<{
  /** Read models whose moves concern the queries; `every` where it is about the models themselves. */
  readModels: readonly string[] | 'every';
  /** Prefix of the keys of the queries to read again. */
  queryKey: QueryKey;
  isPaused: boolean;
  /** Milliseconds between two refreshes at least; 3,000 by default. */
  minGapMs?: number;
}>;

const concerns = (moved: Moved, readModels: Follow['readModels']): boolean => {
  if (moved === 'anything') return true;
  return readModels === 'every'
    ? moved.length > 0
    : readModels.some((name) => moved.includes(name));
};

/** Refetches whenever the server reports that the read models behind the queries have changed. */
export const useLive = ({ readModels, queryKey, isPaused, minGapMs = 3_000 }: Follow): void => {
  const queryClient = useQueryClient();
  const wanted = useRef({ readModels, queryKey });
  wanted.current = { readModels, queryKey };
  useEffect(() => {
    if (isPaused) return;
    let waiting: ReturnType<typeof setTimeout> | null = null;
    let lastAt = performance.now();
    let isStale = false;
    const refresh = (): void => {
      waiting = null;
      // A hidden page reads again once it is visible.
      isStale = document.hidden;
      if (isStale) return;
      lastAt = performance.now();
      void queryClient.invalidateQueries({ queryKey: wanted.current.queryKey });
    };
    const onVisible = (): void => {
      if (isStale && !document.hidden) refresh();
    };
    document.addEventListener('visibilitychange', onVisible);
    const stop = listenLive((moved) => {
      if (waiting !== null || !concerns(moved, wanted.current.readModels)) return;
      waiting = setTimeout(refresh, Math.max(0, lastAt + minGapMs - performance.now()));
    });
    return () => {
      document.removeEventListener('visibilitychange', onVisible);
      stop();
      if (waiting !== null) clearTimeout(waiting);
    };
  }, [isPaused, minGapMs, queryClient]);
};
