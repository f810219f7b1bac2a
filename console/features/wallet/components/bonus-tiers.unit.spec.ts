import { expect, test } from 'vitest';
import { bonusTiers as rules } from '../../../../domain/topup/bonus.ts';
import { covers } from '../../../../tests/support/checklist/covers.ts';
import { bonusTiers, tierOf } from './bonus-tiers.ts';

test('the wallet shows the tiers that the rules give', () => {
  covers('topup-20', 'topup-21', 'topup-22', 'topup-23', 'topup-24', 'topup-25', 'topup-26');
  expect(bonusTiers).toEqual(rules);
});

test.each([
  [0.99, undefined, 1],
  [1, 5, 3],
  [2.5, 5, 3],
  [279, 34, 280],
  [280, 40, undefined],
  [5_000, 40, undefined],
])('%s dollars bring %s percent, and the next tier begins at %s', (dollars, percent, next) => {
  covers('topup-19', 'topup-27');
  const tier = tierOf(dollars);
  expect([tier.current?.percent, tier.next?.dollars]).toEqual([percent, next]);
});
