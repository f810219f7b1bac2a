import { expect, test } from 'vitest';
import type { PricingRow } from '../api/pricing.ts';
import { priceTexts } from './price-text.ts';

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

test('prices are those of the selected group, without noise of fractions', () => {
  const row = aRow({});
  expect(priceTexts([row], 1)(row)).toEqual({ prompt: '$2.50', completion: '$10.00' });
  expect(priceTexts([row], 2)(row)).toEqual({ prompt: '$5.00', completion: '$20.00' });
  const call = aRow({ quota_type: 1, model_price: 0.1 });
  expect(priceTexts([call], 3)(call)).toEqual({ call: '$0.30' });
});

test('each price of the list has as many places as the longest of them', () => {
  const dear = aRow({ model_ratio: 37.5, completion_ratio: 2 });
  const cheap = aRow({ model_ratio: 0.075, completion_ratio: 4 });
  const perCall = aRow({ quota_type: 1, model_price: 0.0375 });
  const unpriced = aRow({ model_ratio: 0.123456, has_price: false });
  const textOf = priceTexts([dear, cheap, perCall, unpriced], 1);
  expect(textOf(dear)).toEqual({ prompt: '$75.0000', completion: '$150.0000' });
  expect(textOf(cheap)).toEqual({ prompt: '$0.1500', completion: '$0.6000' });
  expect(textOf(perCall)).toEqual({ call: '$0.0375' });
});
