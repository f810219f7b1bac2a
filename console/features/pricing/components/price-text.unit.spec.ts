import { expect, test } from 'vitest';
import type { PricingRow } from '../api/pricing.ts';
import { callPrice, completionPrice, promptPrice } from './price-text.ts';

const aRow = (changes: Partial<PricingRow>): PricingRow => ({
  model_name: 'm',
  quota_type: 0,
  model_ratio: 1.25,
  completion_ratio: 4,
  model_price: 0,
  by_second: false,
  has_price: true,
  owner_by: '',
  enable_groups: [],
  ...changes,
});

test('prices are those of the group that is looked at, without noise of fractions', () => {
  expect(promptPrice(aRow({}), 1)).toBe('$2.5');
  expect(completionPrice(aRow({}), 2)).toBe('$20');
  expect(callPrice(aRow({ model_price: 0.1 }), 3)).toBe('$0.3');
  expect(promptPrice(aRow({ model_ratio: 0.075 }), 0.8)).toBe('$0.12');
});
