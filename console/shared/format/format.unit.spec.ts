import { expect, test } from 'vitest';
import { colourOfGroup, colourOfId, colourOfName, colourOfRatio } from './colour.ts';
import {
  abbreviate,
  asCurrency,
  asExactCurrency,
  axisAmounts,
  columnPlaces,
  decimalsFor,
  distinctAmounts,
  distinctTexts,
  formatQuota,
  formatRatio,
  formatUnits,
  listAmount,
  sharedPlaces,
} from './quota.ts';
import { formatDate, formatSeconds, fromLocalInput } from './time.ts';

const inDollars = { quotaPerUnit: 500_000, inCurrency: true };
const inUnits = { quotaPerUnit: 500_000, inCurrency: false };

test('quota in currency has two decimals, halves rounded away from zero', () => {
  expect(formatQuota(500_000, inDollars)).toBe('$1.00');
  expect(formatQuota(2500, inDollars)).toBe('$0.01');
  expect(formatQuota(2499, inDollars)).toBe('$0.00');
  expect(formatQuota(-2500, inDollars)).toBe('-$0.01');
  expect(formatQuota(undefined, inDollars)).toBe('$0.00');
});

test('a balance beyond what floats can count stays exact', () => {
  expect(asCurrency(9_007_199_254_740_991, inDollars, 6)).toBe('$18,014,398,509.481982');
});

test('thousands are grouped, and the sign precedes the currency', () => {
  expect(asCurrency(-617_000_000, inDollars)).toBe('-$1,234.00');
  expect(asCurrency(61_700_000, inDollars)).toBe('$123.40');
});

test('an exact amount has the places that it needs, and two at any rate', () => {
  const exact = [5_000_000, 250_000, 125, 1, 0, -550_000].map((units) =>
    asExactCurrency(units, inDollars),
  );
  expect(exact).toEqual(['$10.00', '$0.50', '$0.00025', '$0.000002', '$0.00', '-$1.10']);
});

test('amounts on an axis can be distinguished', () => {
  expect(distinctAmounts([500_000, 1_000_000], inDollars)).toEqual(['$1.00', '$2.00']);
  expect(distinctAmounts([500_000, 500_500], inDollars)).toEqual(['$1.000', '$1.001']);
  expect(distinctAmounts([0, 50_000_000], inUnits)).toEqual(['0', '50.0M']);
});

test('amounts of one axis have as many places, two at any rate, and none where all are whole', () => {
  const axes = [
    ['$0.0000', '$0.2000', '$0.4000'],
    ['$199.80', '$199.75', '$0.00'],
    ['$100.00', '$50.00', '$0.00'],
    ['-$0.5000', '$0.0025'],
    ['$1.000', '$1.500'],
    ['0', '50.0M'],
  ];
  expect(axes.map(axisAmounts)).toEqual([
    ['$0.00', '$0.20', '$0.40'],
    ['$199.80', '$199.75', '$0.00'],
    ['$100', '$50', '$0'],
    ['-$0.5000', '$0.0025'],
    ['$1.00', '$1.50'],
    ['0', '50.0M'],
  ]);
});

test('a small amount is not written as nothing', () => {
  const decimals = (units: number) => decimalsFor(units, 500_000);
  expect([0, 5_000, 4_999, 50, 49, 1].map(decimals)).toEqual([2, 2, 4, 4, 6, 6]);
});

test('a cost in the log has six decimals', () => {
  expect(formatQuota(225, inDollars, 6)).toBe('$0.000450');
});

test('quota without currency is shortened from ten thousand on', () => {
  expect([9999, 10_000, 1_000_000, 1_500_000_000].map((value) => abbreviate(value))).toEqual([
    '9999',
    '10.0k',
    '1.0M',
    '1.5B',
  ]);
  expect(formatQuota(12_345, inUnits)).toBe('12.3k');
});

test('ticks of an axis can be distinguished however narrow its range is', () => {
  expect(distinctTexts([0, 50_000_000, 100_000_000])).toEqual(['0', '50.0M', '100.0M']);
  expect(distinctTexts([99_980_000, 100_000_000])).toEqual(['99.98M', '100.00M']);
  expect(distinctTexts([99_999_775, 100_000_000])).toEqual(['99,999,775', '100,000,000']);
});

test('the ledger shows every unit', () => {
  expect(formatUnits(-99_873_412)).toBe('-99,873,412');
});

test('a quota-per-unit that is no whole number still gives a number', () => {
  expect(formatRatio(100, 0.5, 2)).toBe('200.00');
  expect(formatRatio(100, 0, 2)).toBe('0.00');
});

test('the same name has one colour for ever', () => {
  expect(colourOfName('a')).toBe('lime');
  expect(colourOfId(15)).toBe('amber');
  expect([colourOfGroup('vip'), colourOfGroup('svip')]).toEqual(['yellow', 'red']);
  expect([1, 1.5, 3, 4, 5, 6].map(colourOfRatio)).toEqual([
    'green',
    'blue',
    'blue',
    'orange',
    'orange',
    'red',
  ]);
  expect([colourOfGroup('pro'), colourOfGroup('premium')]).toEqual(['yellow', 'red']);
});

test('a local time goes into a field and out again unchanged', () => {
  const noon = new Date(2026, 2, 4, 12, 30, 0);
  expect(formatDate(noon)).toBe('2026-03-04 12:30:00');
  const seconds = noon.getTime() / 1000;
  expect(formatSeconds(seconds)).toBe('2026-03-04 12:30:00');
  expect(fromLocalInput(formatSeconds(seconds))).toBe(seconds);
  expect(fromLocalInput('2026-03-04 12:30')).toBe(seconds);
  expect(fromLocalInput('2026-03-04')).toBe(seconds - 12.5 * 3_600);
  for (const text of ['no date', '2', '2026-03', '2026-13-45 10:00', '2026-03-04 12']) {
    expect(fromLocalInput(text), text).toBeNull();
  }
});

test('a column has as many places as its smallest amount needs to differ from zero', () => {
  const placesOf = (...units: number[]) => columnPlaces(units, inDollars);
  expect([placesOf(), placesOf(500_000, 0), placesOf(500_000, 1_234)]).toEqual([2, 2, 4]);
  expect(placesOf(100_000_000, -23)).toBe(6);
});

test('a statement rounds none of its amounts, and writes all of them alike', () => {
  expect(columnPlaces([-50_000, 99_900_000], inDollars, true)).toBe(2);
  expect(columnPlaces([-50_000, 99_999_900], inDollars, true)).toBe(4);
  expect(columnPlaces([-1, 99_999_900], inDollars, true)).toBe(6);
  expect(sharedPlaces(['$75', '$0.0375', '3'])).toBe(4);
});

test('a list shows two places, and marks less than a cent as more than zero', () => {
  const amounts = [500_000, 2_500, 2_499, 1, 0, -1, -500_000];
  expect(amounts.map((units) => listAmount(units, inDollars))).toEqual([
    '$1.00',
    '$0.01',
    '<$0.01',
    '<$0.01',
    '$0.00',
    '>-$0.01',
    '-$1.00',
  ]);
  expect(listAmount(1_500_000, inUnits)).toBe('1.5M');
});
