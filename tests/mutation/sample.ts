/** Mulberry32: the same seed gives the same numbers on every machine. */
const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** `count` of the values, in their order; all of them when there are no more. */
export const sample = (
  values: readonly number[],
  count: number,
  seed: number,
): readonly number[] => {
  const random = randomFrom(seed);
  return values
    .map((value) => ({ value, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ value }) => value)
    .sort((a, b) => a - b);
};
