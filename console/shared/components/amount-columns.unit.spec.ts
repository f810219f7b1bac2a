import { expect, test } from 'vitest';
import { asCurrency } from '../format/quota.ts';
import { withPlaces } from './amount-columns.ts';
import type { Column } from './columns.ts';

const display = { quotaPerUnit: 500_000, inCurrency: true };
type Movement = Readonly<{ delta: number; balance: number }>;
const rows: readonly Movement[] = [
  { delta: -23, balance: 99_899_877 },
  { delta: 50_000, balance: 99_899_900 },
];
const written = (column: Omit<Column<Movement>, 'key' | 'title'>) => {
  const [made] = withPlaces([{ key: 'a', title: 'a', ...column }], rows, display);
  return rows.map((row) => made?.render(row, 2));
};
const delta: Column<Movement>['render'] = (row, places) => asCurrency(row.delta, display, places);
const balance: Column<Movement>['render'] = (row, places) =>
  asCurrency(row.balance, display, places);

test('amounts below each other have as many places', () => {
  const amounts = (row: Movement) => [row.delta];
  expect(written({ amounts, render: delta })).toEqual(['-$0.000046', '$0.100000']);
  expect(written({ amounts: ({ balance: units }) => [units], render: balance })).toEqual([
    '$199.80',
    '$199.80',
  ]);
});

test('columns that name the same amounts are written alike, and a statement rounds none', () => {
  const statement = {
    isExact: true,
    amounts: (row: Movement) => [row.delta, row.balance],
  };
  expect(written({ ...statement, render: balance })).toEqual(['$199.799754', '$199.799800']);
  expect(written({ ...statement, render: delta })).toEqual(['-$0.000046', '$0.100000']);
});

test('a column without amounts is left as it is', () => {
  expect(written({ render: delta })).toEqual(['$0.00', '$0.10']);
});
