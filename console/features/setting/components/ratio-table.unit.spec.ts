import { expect, test } from 'vitest';
import { changesOf, rowsOf } from './ratio-table.ts';

const options = new Map([
  ['ModelPrice', '{"dall-e-3":0.04}'],
  ['ModelRatio', '{"gpt-4o":1.25,"dall-e-3":20}'],
  ['CompletionRatio', '{"gpt-4o":4}'],
]);

test('each model is one row, whatever maps contain it', () => {
  expect(rowsOf(options)).toEqual([
    { name: 'dall-e-3', price: '0.04', ratio: '20', completion: '' },
    { name: 'gpt-4o', price: '', ratio: '1.25', completion: '4' },
  ]);
});

test('a model with a price is saved without ratios', () => {
  expect(changesOf(rowsOf(options))).toEqual([
    { key: 'ModelPrice', value: '{"dall-e-3":0.04}' },
    { key: 'ModelRatio', value: '{"gpt-4o":1.25}' },
    { key: 'CompletionRatio', value: '{"gpt-4o":4}' },
  ]);
});
