import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Block, blockOf, idsOfBlock, locatePage, rangesOf } from './blocks.ts';

const summed = (ids: readonly number[]): Block[] => {
  const counts = new Map<number, number>();
  for (const id of ids) counts.set(blockOf(id), (counts.get(blockOf(id)) ?? 0) + 1);
  return [...counts].map(([block, count]) => ({ block, count })).sort((a, b) => b.block - a.block);
};

test('a page found by sums of blocks is the page found by counting rows', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 8_000 }), { maxLength: 200 }),
      fc.integer({ min: 0, max: 220 }),
      fc.integer({ min: 1, max: 40 }),
      (unsorted, offset, size) => {
        const ids = unsorted.sort((a, b) => b - a);
        const { total, blocks, skip } = locatePage(summed(ids), { offset, size });
        const inBlocks = ids.filter((id) => blocks.includes(blockOf(id)));
        expect(total).toBe(ids.length);
        expect(inBlocks.slice(skip, skip + size)).toEqual(ids.slice(offset, offset + size));
      },
    ),
  );
});

test('neighbouring blocks are read together, many scattered ones in one walk', () => {
  expect(rangesOf([7, 6, 5, 2])).toEqual([
    { from: 5 * idsOfBlock, to: 8 * idsOfBlock },
    { from: 2 * idsOfBlock, to: 3 * idsOfBlock },
  ]);
  const scattered = Array.from({ length: 30 }, (_, nth) => 100 - 2 * nth);
  expect(rangesOf(scattered)).toEqual([{ from: 42 * idsOfBlock, to: 101 * idsOfBlock }]);
  expect(rangesOf([])).toEqual([]);
});
