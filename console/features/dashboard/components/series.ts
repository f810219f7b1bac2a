import type { DataRow } from '../api/usage.ts';

export const granularities = ['hour', 'day', 'week'] as const;
export type Granularity = (typeof granularities)[number];
export const isGranularity = (text: string): text is Granularity =>
  granularities.some((known) => known === text);

const hourSeconds = 3600;

/** Fewer bars than this appear as a fault; earlier ones are added, empty. */
const minBuckets = 7;
const two = (value: number) => String(value).padStart(2, '0');
const dayLabel = (at: Date) => `${two(at.getMonth() + 1)}-${two(at.getDate())}`;

/** Start of the hour, day or week (Monday) in the zone of the browser. */
const bucketOf = (unixSeconds: number, granularity: Granularity): Date => {
  const at = new Date(unixSeconds * 1000);
  if (granularity === 'hour') {
    return new Date(at.getFullYear(), at.getMonth(), at.getDate(), at.getHours());
  }
  const sinceMonday = granularity === 'week' ? (at.getDay() + 6) % 7 : 0;
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() - sinceMonday);
};

const before = (at: Date, granularity: Granularity): Date => {
  if (granularity === 'hour') return new Date(at.getTime() - hourSeconds * 1000);
  const days = granularity === 'day' ? 1 : 7;
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() - days);
};

export const labelOf = (at: Date, granularity: Granularity): string => {
  if (granularity === 'hour') return `${dayLabel(at)} ${two(at.getHours())}:00`;
  if (granularity === 'day') return dayLabel(at);
  const last = new Date(at.getFullYear(), at.getMonth(), at.getDate() + 6);
  return `${dayLabel(at)} - ${dayLabel(last)}`;
};

export type Bucket = Readonly<{ at: number; label: string; quota: ReadonlyMap<string, number> }>;

/** Oldest first, by time and not by text, so that a new year does not mix the order up. */
export const bucketsOf = (
  rows: readonly DataRow[],
  granularity: Granularity,
): readonly Bucket[] => {
  const byStart = new Map<number, Map<string, number>>();
  for (const { created_at, model_name, quota } of rows) {
    const at = bucketOf(created_at, granularity).getTime();
    const models = byStart.get(at) ?? new Map<string, number>();
    byStart.set(at, models.set(model_name, (models.get(model_name) ?? 0) + quota));
  }
  const starts = [...byStart.keys()].sort((a, b) => a - b);
  const newest = starts.at(-1);
  if (newest !== undefined && starts.length < minBuckets) {
    starts.length = 0;
    for (let at = new Date(newest), left = minBuckets; left > 0; left -= 1) {
      starts.unshift(at.getTime());
      at = before(at, granularity);
    }
    // A gap may put older data before the seven; it stays in view.
    for (const at of byStart.keys()) if (!starts.includes(at)) starts.push(at);
    starts.sort((a, b) => a - b);
  }
  return starts.map((at) => ({
    at,
    label: labelOf(new Date(at), granularity),
    quota: byStart.get(at) ?? new Map<string, number>(),
  }));
};

export type ModelSum = Readonly<{ model: string; quota: number; tokens: number; count: number }>;

/** Totals of each model in the range, most called first. */
export const sumsByModel = (rows: readonly DataRow[]): readonly ModelSum[] => {
  const sums = new Map<string, ModelSum>();
  for (const { model_name: model, quota, token_used, count } of rows) {
    const { quota: q, tokens: k, count: c } = sums.get(model) ?? { quota: 0, tokens: 0, count: 0 };
    sums.set(model, { model, quota: q + quota, tokens: k + token_used, count: c + count });
  }
  return [...sums.values()].sort((a, b) => b.count - a.count || a.model.localeCompare(b.model));
};

export const totalOf = (sums: readonly ModelSum[]): Omit<ModelSum, 'model'> =>
  sums.reduce(
    (total, { quota, tokens, count }) => ({
      quota: total.quota + quota,
      tokens: total.tokens + tokens,
      count: total.count + count,
    }),
    { quota: 0, tokens: 0, count: 0 },
  );
