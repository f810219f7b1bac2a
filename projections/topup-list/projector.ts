import type { QuotaGranted } from '../../domain/account/events.ts';
import type { TopUpEvent } from '../../domain/topup/events.ts';
import { projector } from '../runtime/projector.ts';
import { secondsOf } from '../shared/time.ts';
import { topUpListTables } from './table.ts';

/** Answers: who ordered quota for how much, what became of it, and what was credited for it? */
export const topUpListProjector = projector<TopUpEvent | QuotaGranted>()({
  name: 'topup-list',
  version: 2,
  tables: topUpListTables,
  on: {
    TopUpOrdered: ({ orders }, recorded) => {
      const { tradeNo, userId, provider, method, payable, ...order } = recorded.event.data;
      orders.put({
        trade_no: tradeNo,
        position: Number(recorded.position),
        user_id: userId,
        provider,
        method,
        dollars: order.dollars,
        amount_minor: payable.amountMinor,
        currency: payable.currency,
        quota: order.quota,
        bonus_quota: order.bonusQuota,
        status: 'pending',
        late: false,
        source: '',
        provider_reference: '',
        code_url: '',
        created_time: secondsOf(recorded),
        expire_time: Math.floor(Date.parse(order.expiresAt) / 1_000),
        paid_time: 0,
      });
    },
    TopUpOffered: ({ orders }, { event: { data } }) =>
      orders.patch(data.tradeNo, { code_url: data.codeUrl }),
    TopUpPaid: ({ orders }, recorded) => {
      const { tradeNo, late, source, providerReference } = recorded.event.data;
      orders.patch(tradeNo, {
        status: 'success',
        late,
        source,
        provider_reference: providerReference,
        paid_time: secondsOf(recorded),
      });
    },
    TopUpPaidAgain: ({ repeats }, recorded) => {
      const { tradeNo, userId, provider, providerReference, creditedReference, paid } =
        recorded.event.data;
      repeats.insert({
        position: Number(recorded.position),
        event_id: recorded.eventId,
        trade_no: tradeNo,
        user_id: userId,
        provider,
        provider_reference: providerReference,
        credited_reference: creditedReference,
        amount_minor: paid.amountMinor,
        currency: paid.currency,
        at: secondsOf(recorded),
      });
    },
    TopUpExpired: ({ orders }, { event: { data } }) =>
      orders.patch(data.tradeNo, { status: 'expired' }),
    QuotaGranted: ({ credits }, recorded) => {
      const { source, reference, userId, amount } = recorded.event.data;
      if (source !== 'topup') return;
      credits.insert({
        position: Number(recorded.position),
        event_id: recorded.eventId,
        trade_no: reference,
        user_id: userId,
        quota: amount,
        at: secondsOf(recorded),
      });
    },
  },
});
