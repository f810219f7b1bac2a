import { nowSeconds } from './time.ts';

/** In the order in which they are offered; `all` where a list may be read from its beginning. */
export const rangePresets = [
  'all',
  '15m',
  '1h',
  '24h',
  'today',
  '7d',
  '30d',
  'month',
  'last-month',
] as const;
export type RangePreset = (typeof rangePresets)[number];

export const isRangePreset = (text: string): text is RangePreset =>
  rangePresets.some((preset) => preset === text);

/** Unix seconds as text, "" for open: as part of an address and of a call. */
export type TimeRange = Readonly<{ start_timestamp: string; end_timestamp: string }>;

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const midnight = (at: number, daysBack: number): number => {
  const date = new Date(at * 1000);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysBack).getTime() / 1000;
};
const monthStart = (at: number, monthsBack: number): number => {
  const date = new Date(at * 1000);
  return new Date(date.getFullYear(), date.getMonth() - monthsBack).getTime() / 1000;
};

const starts: Readonly<Record<Exclude<RangePreset, 'all'>, (at: number) => number>> = {
  '15m': (at) => at - 15 * minute,
  '1h': (at) => at - hour,
  '24h': (at) => at - day,
  today: (at) => midnight(at, 0),
  '7d': (at) => at - 7 * day,
  '30d': (at) => at - 30 * day,
  month: (at) => monthStart(at, 0),
  'last-month': (at) => monthStart(at, 1),
};

/** Ends an hour ahead, for clocks that differ; the last month ends with its last second. */
export const rangeOf = (preset: RangePreset, at: number = nowSeconds()): TimeRange => {
  if (preset === 'all') return { start_timestamp: '', end_timestamp: '' };
  const end = preset === 'last-month' ? monthStart(at, 0) - 1 : at + hour;
  return { start_timestamp: String(starts[preset](at)), end_timestamp: String(end) };
};

/** Short ranges move on with the clock. */
export const isRolling = (preset: RangePreset): boolean => preset === '15m' || preset === '1h';
