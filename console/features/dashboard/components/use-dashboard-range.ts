import { nowSeconds } from '../../../shared/format/time.ts';
import type { RangePreset } from '../../../shared/format/time-range.ts';
import { type ChosenRange, presetOf, useTimeRange } from '../../../shared/hooks/use-time-range.ts';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { useStatus } from '../../../shared/status.ts';
import { type Granularity, isGranularity } from './series.ts';

const hourSeconds = 3600;
const daySeconds = 24 * hourSeconds;

/** What is shown where no time was chosen. */
const rangeOfGranularity = { hour: '24h', day: '7d', week: '30d' } as const satisfies Record<
  Granularity,
  RangePreset
>;

/** As many bars as can be distinguished. */
export const granularityFor = (seconds: number): Granularity => {
  if (seconds <= 2 * daySeconds + hourSeconds) return 'hour';
  return seconds <= 45 * daySeconds ? 'day' : 'week';
};

const hourOf = (seconds: number): number => Math.floor(seconds / hourSeconds) * hourSeconds;

/** The range, its granularity and its user, all in the address. */
export const useDashboardRange = () => {
  const site = useStatus().data_export_default_time;
  const [filters, change] = useUrlFilters({
    default_time: '',
    range: '',
    start_timestamp: '',
    end_timestamp: '',
    username: '',
  });
  const { range, start_timestamp, end_timestamp, default_time, username } = filters;
  const chosen: ChosenRange = { range, start_timestamp, end_timestamp };
  const byDefault = isGranularity(site) ? site : 'hour';
  const fallback = rangeOfGranularity[isGranularity(default_time) ? default_time : byDefault];
  const asked = useTimeRange(chosen, fallback);
  // The sums have whole hours, and a page that stays open reads again once in an hour.
  const start = hourOf(Number(asked.start_timestamp));
  const last = Number(asked.end_timestamp) || nowSeconds() + hourSeconds;
  const end = presetOf(chosen, fallback) === null ? last : hourOf(last + 1) - 1;
  const isDefault = range === '' && presetOf(chosen, fallback) === fallback;
  const own = isDefault ? byDefault : granularityFor(end - start - hourSeconds);
  return {
    start,
    end,
    username,
    granularity: isGranularity(default_time) ? default_time : own,
    picker: { chosen, fallback, onChange: (next: ChosenRange) => change(next) },
    /** A granularity has its own range until one is chosen. */
    onGranularity: (next: string) =>
      change({ default_time: next, range: '', start_timestamp: '', end_timestamp: '' }),
    onUsername: (name: string) => change({ username: name }),
  };
};
