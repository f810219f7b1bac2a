/** A stretch of time in Unix seconds, both ends inclusive. */
export type Stretch = Readonly<{ from: number; to: number }>;
/** What knows the sums of whole units of time; `unit` in seconds. */
export type Grain = Readonly<{ unit: number }>;
/** Whole units of a grain, or with `null` some seconds that only the entries know. */
export type Part<G extends Grain> = Stretch & Readonly<{ grain: G | null }>;

/**
 * Cuts a range into the fewest parts, newest first: whole units of the coarsest grain in the
 * middle, those of the finer ones at both ends. `grains`: coarsest first, each a whole number of
 * the next.
 */
export const splitRange = <G extends Grain>(
  range: Stretch,
  grains: readonly G[],
): readonly Part<G>[] => {
  const { from, to } = range;
  if (to < from) return [];
  const [grain, ...finer] = grains;
  if (grain === undefined) return [{ from, to, grain: null }];
  const first = Math.ceil(from / grain.unit) * grain.unit;
  const after = Math.floor((to + 1) / grain.unit) * grain.unit;
  if (after <= first) return splitRange(range, finer);
  return [
    ...splitRange({ from: after, to }, finer),
    { from: first, to: after - 1, grain },
    ...splitRange({ from, to: first - 1 }, finer),
  ];
};
