import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TopUpTerms } from './events.ts';
import { minAmount, minorOf, moneyText, quoteTopUp, type TopUpQuote } from './quote.ts';

const terms = (changes: Partial<TopUpTerms> = {}): TopUpTerms => ({
  amount: 10,
  inCurrency: true,
  price: '7.2',
  group: 'default',
  groupRatio: '1',
  quotaPerUnit: '500000',
  ...changes,
});
const quoted = (changes: Partial<TopUpTerms> = {}): TopUpQuote => {
  const quote = quoteTopUp(terms(changes));
  if (typeof quote === 'string') throw new Error(quote);
  return quote;
};

test('ten dollars cost 72 yuan and bring twelve percent on top', () => {
  expect(quoted()).toEqual({
    dollars: '10',
    payableMinor: 7_200,
    quota: 5_000_000,
    bonusPercent: 12,
    bonusQuota: 600_000,
  });
});

test.each([
  [1, 5],
  [2, 5],
  [3, 8],
  [6, 8],
  [7, 12],
  [15, 18],
  [34, 18],
  [35, 22],
  [70, 26],
  [139, 26],
  [140, 34],
  [280, 40],
  [10_000, 40],
])('%s dollars bring %s percent on top', (amount, percent) => {
  expect(quoted({ amount }).bonusPercent).toBe(percent);
});

test('less than a dollar brings nothing on top', () => {
  const { bonusQuota, dollars } = quoted({ amount: 499_999, inCurrency: false });
  expect([bonusQuota, dollars]).toEqual([0, '0.999998']);
});

test('where the site shows no currency, an amount is quota and costs the same', () => {
  const inUnits = quoted({ amount: 5_000_000, inCurrency: false });
  expect(inUnits).toEqual(quoted({ amount: 10 }));
});

test('the ratio of the group changes the price and not what it brings', () => {
  const dear = quoted({ groupRatio: '1.5' });
  expect([dear.payableMinor, dear.quota, dear.bonusQuota]).toEqual([10_800, 5_000_000, 600_000]);
});

test('the payable is rounded once, halves up', () => {
  expect(quoted({ amount: 1, price: '0.125' }).payableMinor).toBe(13);
  expect(quoted({ amount: 3, price: '0.335' }).payableMinor).toBe(101);
  expect(quoted({ amount: 1, price: '0.1249' }).payableMinor).toBe(12);
});

test('the bonus is rounded up to a whole unit', () => {
  expect(quoted({ amount: 1, quotaPerUnit: '3' }).bonusQuota).toBe(1);
});

test('a price below one cent is too cheap, a cent is enough', () => {
  expect(quoteTopUp(terms({ amount: 1, price: '0.00999' }))).toBe('too-cheap');
  expect(quoted({ amount: 1, price: '0.01' }).payableMinor).toBe(1);
});

test.each([0, -1, 0.5, Number.NaN, 2 ** 53])('an amount of %s is none', (amount) => {
  expect(quoteTopUp(terms({ amount }))).toBe('invalid-amount');
});

test('an order is limited to what accounts can count', () => {
  expect(quoteTopUp(terms({ amount: 1_000_000_000 }))).toBe('too-much');
});

test('the minimum is in the entered unit', () => {
  expect(minAmount(2, terms())).toBe(2);
  expect(minAmount(2, terms({ inCurrency: false }))).toBe(1_000_000);
});

test('more never costs less nor brings less', () => {
  const amount = fc.integer({ min: 1, max: 100_000 });
  const price = fc.integer({ min: 100, max: 99_999 }).map((value) => `${value / 10_000}`);
  fc.assert(
    fc.property(amount, amount, price, (one, other, each) => {
      const [small, large] = [Math.min(one, other), Math.max(one, other)];
      const less = quoted({ amount: small, price: each });
      const more = quoted({ amount: large, price: each });
      expect(more.payableMinor).toBeGreaterThanOrEqual(less.payableMinor);
      expect(more.bonusQuota).toBeGreaterThanOrEqual(less.bonusQuota);
    }),
  );
});

describe('money in texts', () => {
  test.each([
    [1, '0.01'],
    [99, '0.99'],
    [7_200, '72.00'],
  ])('%s is %s', (minor, text) => {
    expect(moneyText(minor)).toBe(text);
    expect(minorOf(text)).toBe(minor);
  });
  test.each(['72', '72.0', '72.00', '72.000'])('%s is 7200', (text) => {
    expect(minorOf(text)).toBe(7_200);
  });
  test.each(['', '-1', '72.005', '1e2', '7,2', ' 72', '0x10', 'NaN'])('%j is no money', (text) => {
    expect(minorOf(text)).toBeNull();
  });
});
