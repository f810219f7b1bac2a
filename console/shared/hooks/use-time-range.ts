import { useEffect, useMemo, useState } from 'react';
import { nowSeconds } from '../format/time.ts';
import {
  isRangePreset,
  isRolling,
  type RangePreset,
  rangeOf,
  type TimeRange,
} from '../format/time-range.ts';
import { useUrlFilters } from './use-url-filters.ts';

/** As part of the address: a preset, or two instants, which take precedence over a preset. */
export type ChosenRange = TimeRange & Readonly<{ range: string }>;

const rollingStepMs = 60_000;
const slowStepMs = 600_000;

export const presetOf = (chosen: ChosenRange, fallback: RangePreset): RangePreset | null => {
  if (chosen.start_timestamp !== '' || chosen.end_timestamp !== '') return null;
  return isRangePreset(chosen.range) ? chosen.range : fallback;
};

/**
 * The requested instants. They advance in steps: an end that moves with the clock would cause a
 * request at each rendering.
 */
export const useTimeRange = (chosen: ChosenRange, fallback: RangePreset): TimeRange => {
  const preset = presetOf(chosen, fallback);
  const [at, setAt] = useState(nowSeconds);
  useEffect(() => {
    if (preset === null || preset === 'all') return;
    const step = isRolling(preset) ? rollingStepMs : slowStepMs;
    const timer = setInterval(() => setAt(nowSeconds()), step);
    return () => clearInterval(timer);
  }, [preset]);
  const { start_timestamp, end_timestamp } = chosen;
  return useMemo(
    () => (preset === null ? { start_timestamp, end_timestamp } : rangeOf(preset, at)),
    [preset, at, start_timestamp, end_timestamp],
  );
};

type RangedFilters = TimeRange & Readonly<{ p: string }> & Readonly<Record<string, string>>;

/** Filters of a list, its page and its time range, all in the address. */
export const useRangedFilters = <F extends RangedFilters>(none: F, fallback: RangePreset) => {
  const [values, change] = useUrlFilters<F & Readonly<{ range: string }>>({
    ...none,
    range: fallback,
  });
  const { range, start_timestamp, end_timestamp } = values;
  const chosen = { range, start_timestamp, end_timestamp };
  const asked = useTimeRange(chosen, fallback);
  const changeView = (changes: Partial<F>) =>
    change({ p: '1', ...changes } as Parameters<typeof change>[0]);
  return {
    values: { ...values, ...asked },
    /** Returns to the first page, unless the change names another one. */
    change: changeView,
    range: {
      chosen,
      fallback,
      onChange: (next: ChosenRange) => change({ p: '1', ...next } as Parameters<typeof change>[0]),
    },
  };
};
