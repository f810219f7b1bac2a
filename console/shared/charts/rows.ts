/** Values of all series at one moment. Null: not measured, drawn as a gap. */
export type ChartRow = Readonly<{ at: number; values: readonly (number | null)[] }>;
export type ChartPoint = Readonly<{ at: number; value: number | null }>;

const steps = [1, 2, 5, 10];

/** The smallest of 1, 2 and 5 times a power of ten that is not below a value. */
const niceAbove = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(value));
  return (steps.find((step) => step * power >= value) ?? 10) * power;
};

/** From zero to a round number above the highest value, or to `fallback` without a value. */
export const ticksFromZero = (highest: number, fallback = 1): readonly number[] => {
  const top = niceAbove(highest > 0 ? highest : fallback);
  return [0, top / 2, top];
};

/** One row for each moment at which any of the lines has a point. */
export const rowsOf = (lines: readonly (readonly ChartPoint[])[]): readonly ChartRow[] => {
  const byLine = lines.map((points) => new Map(points.map(({ at, value }) => [at, value])));
  const moments = new Set(lines.flatMap((points) => points.map(({ at }) => at)));
  return [...moments]
    .sort((a, b) => a - b)
    .map((at) => ({ at, values: byLine.map((points) => points.get(at) ?? null) }));
};

/** A gap where moments are further apart than `maxGap`. */
export const withGaps = (rows: readonly ChartRow[], maxGap: number): readonly ChartRow[] =>
  rows.flatMap((row, nth) => {
    const before = rows[nth - 1];
    const isNear = before === undefined || row.at - before.at <= maxGap;
    return isNear ? [row] : [{ at: before.at + maxGap, values: [] }, row];
  });
