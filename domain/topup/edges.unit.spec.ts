import { describe, expect, test } from 'vitest';
import { deciderSpec, fold } from '../../tests/support/decider-spec.ts';
import {
  anExpireTopUp,
  anOfferTopUp,
  anOrderTopUp,
  aTopUpExpired,
  aTopUpOrdered,
  aTopUpPaid,
} from '../../tests/support/topup-examples.ts';
import { topUpDecider } from './decider.ts';
import type { TopUpEvent, TopUpTerms } from './events.ts';
import { minAmount, minorOf, quoteTopUp } from './quote.ts';

const given = deciderSpec(topUpDecider);
const offered: TopUpEvent = { type: 'TopUpOffered', data: anOfferTopUp().data };

describe('an order', () => {
  test('of the least amount is taken', () =>
    given()
      .when(anOrderTopUp({ minimum: 10 }))
      .thenEvents(aTopUpOrdered()));
  test('is offered once', () => given(aTopUpOrdered()).when(anOfferTopUp()).thenEvents(offered));
  test('that is paid is not offered', () =>
    given(aTopUpOrdered(), aTopUpPaid()).when(anOfferTopUp()).thenNothing());
  test('that is offered expires by time', () =>
    given(aTopUpOrdered(), offered).when(anExpireTopUp('time')).thenEvents(aTopUpExpired()));
  test('that the provider did not take expires at once', () =>
    given(aTopUpOrdered())
      .when(anExpireTopUp('not-offered'))
      .thenEvents({
        type: 'TopUpExpired',
        data: { ...aTopUpExpired().data, reason: 'not-offered' } as never,
      }));
  test('stays paid whatever expires later', () =>
    expect(fold(topUpDecider, [aTopUpOrdered(), aTopUpPaid(), aTopUpExpired()]).status).toBe(
      'paid',
    ));
  test('is not there before it is placed', () =>
    expect(fold(topUpDecider, [offered, aTopUpExpired()])).toEqual({ status: 'absent' }));
});

const terms = (changes: Partial<TopUpTerms>): TopUpTerms => ({
  amount: 1,
  inCurrency: true,
  price: '7.2',
  group: 'default',
  groupRatio: '1',
  quotaPerUnit: '500000',
  ...changes,
});
const inUnits = (amount: number, quotaPerUnit: string) =>
  quoteTopUp(terms({ amount, inCurrency: false, quotaPerUnit }));

describe('a quote', () => {
  test('shows dollars with six places', () =>
    expect(inUnits(1, '3')).toMatchObject({ dollars: '0.333333' }));
  test('handles units of which a fraction makes a dollar', () => {
    expect(inUnits(1, '0.5')).toMatchObject({ dollars: '2', payableMinor: 1_440 });
    expect(quoteTopUp(terms({ amount: 10, quotaPerUnit: '500000.5' }))).toMatchObject({
      dollars: '10',
      payableMinor: 7_200,
      quota: 5_000_005,
      bonusQuota: 600_001,
    });
    expect(minAmount(1, terms({ inCurrency: false, quotaPerUnit: '500000.5' }))).toBe(500_001);
  });
  test('ends at 100,000,000,000,000 units, bonus included', () => {
    const limit = 100_000_000_000_000;
    expect(inUnits(limit, '200000000000000')).toMatchObject({ quota: limit, bonusQuota: 0 });
    expect(inUnits(limit + 1, '200000000000000')).toBe('too-much');
    expect(inUnits(99_000_000_000_000, '90000000000000')).toBe('too-much');
  });
  test('ends at a payable of as many cents', () => {
    const dear = (price: string) => quoteTopUp(terms({ price }));
    expect(dear('1000000000000')).toMatchObject({ payableMinor: 100_000_000_000_000 });
    expect(dear('1000000000000.01')).toBe('too-much');
  });
});

test('a text with one place after the point is tens of cents', () =>
  expect(minorOf('72.5')).toBe(7_250));
