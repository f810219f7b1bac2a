/**
 * How many rows of a long list are in each block of 1,000 ids. With these sums a page far down the
 * list, and the length of the list, cost no walk over its rows.
 */
export type Block = Readonly<{ block: number; count: number }>;

export const idsOfBlock = 1_000;
export const blockOf = (id: number): number => Math.floor(id / idsOfBlock);

/** Place of a page: the blocks of its rows, and how many rows of the first precede it. */
export type Located = Readonly<{ total: number; blocks: readonly number[]; skip: number }>;

/** `blocks`: newest first. */
export const locatePage = (
  blocks: readonly Block[],
  { offset, size }: Readonly<{ offset: number; size: number }>,
): Located => {
  const wanted: number[] = [];
  let passed = 0;
  let skip = 0;
  for (const { block, count } of blocks) {
    const begins = passed;
    passed += count;
    if (passed <= offset || begins >= offset + size) continue;
    if (wanted.length === 0) skip = offset - begins;
    wanted.push(block);
  }
  return { total: passed, blocks: wanted, skip };
};

/** Ids from `from` up to, but not including, `to`. */
export type IdRange = Readonly<{ from: number; to: number }>;

/** So many neighbourhoods are read one by one; more are read in one walk over all between them. */
const maxRanges = 20;

/** The ids of some blocks, newest first, neighbours together. */
export const rangesOf = (blocks: readonly number[]): readonly IdRange[] => {
  const ranges: { from: number; to: number }[] = [];
  for (const block of blocks) {
    const from = block * idsOfBlock;
    const last = ranges.at(-1);
    if (last?.from === from + idsOfBlock) last.from = from;
    else ranges.push({ from, to: from + idsOfBlock });
  }
  const [first] = ranges;
  const last = ranges.at(-1);
  if (!first || !last || ranges.length <= maxRanges) return ranges;
  return [{ from: last.from, to: first.to }];
};
