import { formatSeconds } from '../format/time.ts';

const daySeconds = 86_400;
/** Days up to which the time of the day matters. */
const timedDays = 10;

const partOf = (days: number) => {
  if (days <= 1) return [11, 16] as const;
  return days <= timedDays ? ([5, 16] as const) : ([5, 10] as const);
};

/** Labels of a time axis: only the part of the time that differs between moments. */
export const timeLabels = (rows: readonly Readonly<{ at: number }>[]) => {
  const moments = rows.map(({ at }) => at);
  const part = partOf((Math.max(...moments) - Math.min(...moments)) / daySeconds);
  return (at: number): string => formatSeconds(at).slice(...part);
};
