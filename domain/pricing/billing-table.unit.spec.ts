import { describe, expect, test } from 'vitest';
import {
  type BillingCase,
  type BillingGroup,
  billingCases,
  billingGroups,
} from '../../tests/support/billing-cases.ts';
import { noUsage, quoteOf } from '../../tests/support/billing-quotes.ts';
import { type Fraction, f, plus, rounded, times } from '../../tests/support/fractions.ts';
import { explain } from './explain.ts';
import { price } from './price.ts';
import type { Quote, Usage } from './types.ts';

const isNothing = (usage: Partial<Usage>): boolean =>
  Object.values(usage).every((count) => count === 0);

const expected = ({ due, usage, byRatio, model }: BillingCase, group: BillingGroup): number => {
  const exact = times(due, f(billingGroups[group]));
  if (exact[0] > 0n || byRatio === undefined || isNothing(usage)) return rounded(exact);
  return group === 'free' || model === 'free-model' ? 0 : 1;
};

const rows = billingCases.flatMap((own) =>
  (Object.keys(billingGroups) as BillingGroup[]).map((group) => ({ ...own, group, own })),
);

describe('the billing table', () => {
  test(`has at least 150 rows: ${rows.length}`, () => {
    expect(rows.length).toBeGreaterThanOrEqual(150);
  });

  test.each(rows)('$kind ($model), in group $group', ({ own, group }) => {
    const usage = { ...noUsage, ...own.usage };
    const quote = quoteOf(own, group);
    expect(price(usage, quote)).toBe(expected(own, group));
    const billed = explain(usage, quote).reduce(
      (sum, { units }) => plus(sum, signed(units)),
      f('0'),
    );
    expect(rounded(billed)).toBe(price(usage, quote));
  });

  test('gives the same for a quote that was written down and read again', () => {
    for (const { own, group } of rows) {
      const usage = { ...noUsage, ...own.usage };
      const kept: Quote = JSON.parse(JSON.stringify(quoteOf(own, group)));
      expect(price(JSON.parse(JSON.stringify(usage)), kept)).toBe(expected(own, group));
    }
  });
});

const signed = (text: string): Fraction => {
  const [over, under] = f(text.replace('-', ''));
  return [text.startsWith('-') ? -over : over, under];
};
