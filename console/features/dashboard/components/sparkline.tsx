const width = 100;
const height = 28;
/** So that the line is not cut at its highest point. */
const margin = 2;

type Point = Readonly<{ x: number; y: number }>;

/** Runs of points with a value; a gap stays a gap, and one value by itself is no course of anything. */
export const runsOf = (values: readonly (number | null)[]): readonly (readonly Point[])[] => {
  if (values.filter((value) => value !== null).length < 2) return [];
  const highest = Math.max(...values.map((value) => value ?? 0), 1e-9);
  const step = width / Math.max(1, values.length - 1);
  const runs: Point[][] = [[]];
  for (const [at, value] of values.entries()) {
    if (value === null) runs.push([]);
    else {
      const y = height - margin - (value / highest) * (height - 2 * margin);
      runs.at(-1)?.push({ x: at * step, y });
    }
  }
  return runs.filter(({ length }) => length > 0);
};

const pathOf = (run: readonly Point[]): string => {
  const [first] = run;
  if (run.length === 1 && first) return `M${first.x} ${first.y}h0.01`;
  return `M${run.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`;
};

/** A figure over the range, from zero. The figure next to it shows the value. */
export const Sparkline = ({ values }: Readonly<{ values: readonly (number | null)[] }>) => (
  <svg
    className="sparkline"
    viewBox={`0 0 ${width} ${height}`}
    preserveAspectRatio="none"
    aria-hidden
  >
    {runsOf(values).map((run) => (
      <path key={run[0]?.x} d={pathOf(run)} vectorEffect="non-scaling-stroke" />
    ))}
  </svg>
);
