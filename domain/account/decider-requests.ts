import { price } from '../pricing/price.ts';
import { accept, type Decision, reject } from '../shared/decider.ts';
import type { AbandonRequest, AccountRejection, ChargeRequest, RefundRequest } from './commands.ts';
import type { AccountEvent } from './events.ts';
import { type AccountState, abandonmentOf, settlementOf } from './state.ts';

type Answer = Decision<AccountEvent, AccountRejection>;

const nothing = accept<AccountEvent>();

/** Charged once; past the lease and below 0 if need be, for the service was delivered. */
export const chargeRequest = ({ data }: ChargeRequest, state: AccountState): Answer => {
  const { userId, leaseId, call, usage, usageSource, usageNote, end, quote, sequence } = data;
  const { requestId, relayId } = call;
  const settlement = settlementOf(state, { requestId, relayId, sequence });
  if (settlement === 'settled') return nothing;
  if (settlement === 'uncertain' && data.confirmedNew !== true) {
    return reject('account.outcome-uncertain');
  }
  const amount = price(usage, quote);
  const balanceAfter = state.balance - amount;
  return accept({
    type: 'RequestCharged',
    data: {
      userId,
      leaseId,
      call,
      usage,
      usageSource,
      usageNote,
      end,
      quote,
      amount,
      sequence,
      balanceAfter,
    },
  });
};

export const abandonRequest = ({ data }: AbandonRequest, state: AccountState): Answer => {
  const abandonment = abandonmentOf(state, data);
  if (abandonment === 'settled') return nothing;
  if (abandonment === 'uncertain' && data.confirmedNew !== true) {
    return reject('account.outcome-uncertain');
  }
  const { userId, requestId, relayId, tokenId, leaseId, reserved } = data;
  return accept({
    type: 'RequestAbandoned',
    data: { userId, requestId, relayId, tokenId, leaseId, reserved },
  });
};

/** At most what was charged, whatever was refunded before. */
export const refundRequest = ({ data }: RefundRequest, state: AccountState): Answer => {
  const { userId, requestId, amount, reason, charge } = data;
  if (!Number.isSafeInteger(amount) || amount <= 0) return reject('account.invalid-amount');
  if (charge === undefined) return reject('account.not-charged');
  const left = charge.amount - charge.refunded;
  if (amount > left) return reject('account.refund-exceeds-charge', { left });
  const balanceAfter = state.balance + amount;
  if (!Number.isSafeInteger(balanceAfter)) return reject('account.overflow');
  return accept({
    type: 'RequestRefunded',
    data: { userId, requestId, tokenId: charge.tokenId, amount, reason, balanceAfter },
  });
};
