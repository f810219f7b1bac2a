import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deciderSpec } from '../../tests/support/decider-spec.ts';
import {
  aConfirmTopUp,
  anExpireTopUp,
  anOfferTopUp,
  anOrderTopUp,
  aTermsChange,
  aTopUpExpired,
  aTopUpOrdered,
  aTopUpPaid,
} from '../../tests/support/topup-examples.ts';
import { topUpDecider } from './decider.ts';
import type { TopUpEvent, TopUpPaidAgain } from './events.ts';
import { isTradeNo } from './stream.ts';

const given = deciderSpec(topUpDecider);

describe('an order', () => {
  test('is placed with its price and its bonus', () =>
    given().when(anOrderTopUp()).thenEvents(aTopUpOrdered()));
  test('is placed once', () =>
    given(aTopUpOrdered()).when(anOrderTopUp()).thenRejected('topup.already-ordered'));
  test('has the least amount of the site', () =>
    given()
      .when(anOrderTopUp({ minimum: 11 }))
      .thenRejected('topup.below-minimum', { min: 11 }));
  test('names the least amount in quota where the site shows no currency', () =>
    given()
      .when(anOrderTopUp({ minimum: 2, ...aTermsChange({ inCurrency: false }) }))
      .thenRejected('topup.below-minimum', { min: 1_000_000 }));
  test('that would cost less than a cent is refused', () =>
    given()
      .when(anOrderTopUp(aTermsChange({ price: '0.0001' })))
      .thenRejected('topup.too-cheap'));
  test('that brings more than the account can take in is refused before money moves', () => {
    const quota = 5_600_000;
    given()
      .when(anOrderTopUp({ room: quota - 1 }))
      .thenRejected('topup.account-full', { quota, room: quota - 1 });
    given()
      .when(anOrderTopUp({ room: quota }))
      .thenEvents(aTopUpOrdered());
  });
  test('remembers where it is paid, the first time', () => {
    given(aTopUpOrdered()).when(anOfferTopUp()).thenState({ status: 'pending' });
    given(aTopUpOrdered(), { type: 'TopUpOffered', data: anOfferTopUp().data })
      .when(anOfferTopUp())
      .thenNothing();
  });
  test('that is offered somewhere is not given up for another refusal', () =>
    given(aTopUpOrdered(), { type: 'TopUpOffered', data: anOfferTopUp().data })
      .when(anExpireTopUp('not-offered'))
      .thenNothing());
  test('expires once', () => {
    given(aTopUpOrdered()).when(anExpireTopUp()).thenEvents(aTopUpExpired());
    given(aTopUpOrdered(), aTopUpExpired()).when(anExpireTopUp()).thenNothing();
  });
});

describe('a payment', () => {
  test('in time is credited with the bonus', () =>
    given(aTopUpOrdered()).when(aConfirmTopUp()).thenEvents(aTopUpPaid()));
  test('of an expired order is credited and marked', () =>
    given(aTopUpOrdered(), aTopUpExpired())
      .when(aConfirmTopUp())
      .thenEvents(aTopUpPaid({ late: true })));
  test('after the time is marked, even when it was not read', () =>
    given(aTopUpOrdered())
      .when(aConfirmTopUp({}, '2026-03-01T08:05:00.000Z'))
      .thenEvents(aTopUpPaid({ late: true })));
  test('repeated changes nothing', () => {
    given(aTopUpOrdered(), aTopUpPaid()).when(aConfirmTopUp()).thenNothing();
    given(aTopUpOrdered(), aTopUpPaid())
      .when(aConfirmTopUp({ source: 'query', providerReference: 'pay-2' }))
      .thenNothing();
  });
  test('of another number, reported by notice, is money to refund, reported once', () => {
    const again: TopUpPaidAgain = {
      type: 'TopUpPaidAgain',
      data: {
        tradeNo: aTopUpPaid().data.tradeNo,
        userId: 42,
        provider: 'lantu',
        providerReference: 'pay-2',
        creditedReference: 'pay-1',
        paid: { amountMinor: 7_200, currency: 'CNY' },
      },
    };
    const second = aConfirmTopUp({ providerReference: 'pay-2' });
    given(aTopUpOrdered(), aTopUpPaid()).when(second).thenEvents(again);
    given(aTopUpOrdered(), aTopUpPaid(), again).when(second).thenNothing();
  });
  test('of another sum is refused', () =>
    given(aTopUpOrdered())
      .when(aConfirmTopUp({ paid: { amountMinor: 7_199, currency: 'CNY' } }))
      .thenRejected('topup.wrong-amount'));
  test('through another provider is refused', () =>
    given(aTopUpOrdered())
      .when(aConfirmTopUp({ provider: 'epay' }))
      .thenRejected('topup.wrong-provider'));
  test('for an order that never was is refused', () =>
    given().when(aConfirmTopUp()).thenRejected('topup.unknown-order'));
  test('does not expire', () =>
    given(aTopUpOrdered(), aTopUpPaid()).when(anExpireTopUp()).thenNothing());
});

const command = fc.oneof(
  fc.constant(anOrderTopUp()),
  fc.constant(anOfferTopUp()),
  fc.constant(anExpireTopUp()),
  fc
    .record({
      amountMinor: fc.constantFrom(7_200, 7_200, 7_200, 1, 72_000),
      provider: fc.constantFrom('lantu' as const, 'lantu' as const, 'epay' as const),
      providerReference: fc.constantFrom('a', 'b'),
      source: fc.constantFrom('notification' as const, 'query' as const),
    })
    .map(({ amountMinor, ...order }) =>
      aConfirmTopUp({ ...order, paid: { amountMinor, currency: 'CNY' } }),
    ),
);

test('no sequence of commands credits an order twice, or for another sum than it costs', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
      let state = topUpDecider.initialState;
      const events: TopUpEvent[] = [];
      for (const each of commands) {
        const decision = topUpDecider.decide(each, state);
        if (decision.kind === 'rejected') continue;
        events.push(...decision.events);
        state = decision.events.reduce(topUpDecider.evolve, state);
      }
      const paid = events.filter((event) => event.type === 'TopUpPaid');
      expect(paid.length).toBeLessThanOrEqual(1);
      const right = commands.some(
        (each, place) =>
          each.type === 'ConfirmTopUp' &&
          each.data.paid.amountMinor === 7_200 &&
          each.data.provider === 'lantu' &&
          commands.slice(0, place).some(({ type }) => type === 'OrderTopUp'),
      );
      expect(paid.length).toBe(right ? 1 : 0);
      if (paid[0] !== undefined) expect(paid[0].data.quota).toBe(5_600_000);
      expect(events.filter(({ type }) => type === 'TopUpExpired').length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 500 },
  );
});

test('only numbers that we gave out name an order', () => {
  expect(isTradeNo('USR42NOabc1231767225600')).toBe(true);
  for (const text of ['', 'USR42', 'USR42NOabc123176722560', '../x', 'USR42NOabc-231767225600']) {
    expect(isTradeNo(text)).toBe(false);
  }
});
