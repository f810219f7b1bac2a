/** How a figure moved against the period before. `percent` null: there was nothing before. */
export type Change = Readonly<{ direction: 'up' | 'down' | 'same'; percent: number | null }>;

export const changeOf = (now: number | null, before: number | null): Change | null => {
  if (now === null || before === null) return null;
  if (before === 0)
    return now === 0
      ? { direction: 'same', percent: 0 }
      : { direction: now > 0 ? 'up' : 'down', percent: null };
  // A margin may be below zero: less of a loss is more.
  const percent = Math.round(((now - before) / Math.abs(before)) * 100);
  if (percent === 0) return { direction: 'same', percent: 0 };
  return { direction: percent > 0 ? 'up' : 'down', percent: Math.abs(percent) };
};

const secondsPerDay = 86_400;
/** Later than this a date would promise what no pace can. */
const maxDays = 365;

/** Days until `left` is used up at the pace of a period; null: not within a year. */
export const daysLeft = (
  left: number,
  { spent, seconds }: Readonly<{ spent: number; seconds: number }>,
): number | null => {
  if (left <= 0) return 0;
  if (spent <= 0 || seconds <= 0) return null;
  const days = left / ((spent / seconds) * secondsPerDay);
  return days > maxDays ? null : days;
};

/** `840 ms`, `1.23 s`, `12.3 s`; a dash where nothing was measured. */
export const asSeconds = (ms: number | null): string => {
  if (ms === null) return '–';
  if (ms < 1_000) return `${ms} ms`;
  return ms < 10_000 ? `${(ms / 1000).toFixed(2)} s` : `${(ms / 1000).toFixed(1)} s`;
};

export const errorRate = ({
  calls,
  errors,
}: Readonly<{ calls: number; errors: number }>): number =>
  calls + errors === 0 ? 0 : errors / (calls + errors);

/** One decimal below ten percent, so that one error in a thousand is not none. */
export const asPercent = (share: number): string => {
  const percent = share * 100;
  if (percent === 0) return '0%';
  return percent < 0.1 ? '<0.1%' : `${percent.toFixed(percent < 10 ? 1 : 0)}%`;
};

/** What is left of the revenue, `-12.5%` included; a dash where nothing was earned. */
export const asMarginRate = (margin: number, revenue: number): string =>
  revenue <= 0 ? '–' : `${((margin / revenue) * 100).toFixed(1)}%`;
