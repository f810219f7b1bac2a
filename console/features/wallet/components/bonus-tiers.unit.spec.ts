import { expect, test } from 'vitest';
import { tierOf } from './bonus-tiers.ts';

const tiers = [
  { dollars: 1, percent: 5 },
  { dollars: 3, percent: 8 },
  { dollars: 280, percent: 40 },
];

test.each([
  [0.99, undefined, 1],
  [1, 5, 3],
  [2.5, 5, 3],
  [279, 8, 280],
  [280, 40, undefined],
  [5_000, 40, undefined],
])('%s dollars bring %s percent, and the next tier begins at %s', (dollars, percent, next) => {
  const tier = tierOf(tiers, dollars);
  expect([tier.current?.percent, tier.next?.dollars]).toEqual([percent, next]);
});
