/** A stretch of time in Unix seconds, both ends inclusive. */
export type Stretch = Readonly<{ from: number; to: number }>;
/** Sums of whole units of time; `unit` in seconds. */
export type Grain = Readonly<{ unit: number }>;
/** Whole units of a grain, or a piece of one unit of the finest: `of`, `null` where there is none. */
export type Units<G extends Grain> = Stretch & Readonly<{ grain: G }>;
export type Cut<G extends Grain> = Stretch & Readonly<{ grain: null; of: G | null }>;
export type Part<G extends Grain> = Units<G> | Cut<G>;

/**
 * The parts of a range, newest first: whole units of the coarsest grain in the middle, those of the
 * finer ones at both ends, then single seconds. `grains`: coarsest first, each a whole number of
 * the next; `of`: the grain before them.
 */
export const splitRange = <G extends Grain>(
  range: Stretch,
  grains: readonly G[],
  of: G | null = null,
): readonly Part<G>[] => {
  const { from, to } = range;
  if (to < from) return [];
  const [grain, ...finer] = grains;
  if (grain === undefined) return [{ from, to, grain: null, of }];
  const first = Math.ceil(from / grain.unit) * grain.unit;
  const after = Math.floor((to + 1) / grain.unit) * grain.unit;
  if (after < first) return splitRange(range, finer, grain);
  return [
    ...splitRange({ from: after, to }, finer, grain),
    ...(first < after ? [{ from: first, to: after - 1, grain }] : []),
    ...splitRange({ from, to: first - 1 }, finer, grain),
  ];
};

/** What a piece leaves of its unit, at one end, where that is less than the piece; else `null`. */
export const restOf = ({ from, to }: Stretch, unit: number): Stretch | null => {
  const start = Math.floor(from / unit) * unit;
  const last = start + unit - 1;
  if ((to - from + 1) * 2 <= unit) return null;
  if (from === start && to < last) return { from: to + 1, to: last };
  return to === last && from > start ? { from: start, to: from - 1 } : null;
};
