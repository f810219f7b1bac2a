import { price } from '../pricing/price.ts';
import { accept, type Decision, reject } from '../shared/decider.ts';
import type {
  AbandonRequest,
  AccountRejection,
  ChargeRequest,
  RefundRequest,
  SkipUsageNumber,
} from './commands.ts';
import type { AccountEvent } from './events.ts';
import { type AccountState, standingOf } from './state.ts';

type Answer = Decision<AccountEvent, AccountRejection>;

const nothing = accept<AccountEvent>();

/** Charged once; past the lease and below 0 if need be, for the service was delivered. */
export const chargeRequest = ({ data }: ChargeRequest, state: AccountState): Answer => {
  const { userId, leaseId, call, usage, usageSource, usageNote, end, quote, sequence } = data;
  const standing = standingOf(state, call.relayId, data.usageNumber);
  if (standing === 'settled') return nothing;
  if (standing === 'ahead') return reject('account.usage-gap');
  if (standing === 'unknown' && data.confirmedNew !== true) {
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
      ...(standing === 'next' && data.usageNumber && { usageNumber: data.usageNumber }),
      ...(standing === 'unknown' && data.usageNumber && { isUnplaced: true }),
      balanceAfter,
    },
  });
};

/** Once: the numbers after it are settled as if it had been. */
export const skipUsageNumber = ({ data }: SkipUsageNumber, state: AccountState): Answer => {
  const { isLost, ...skipped } = data;
  const standing = standingOf(state, data.relayId, data.usageNumber);
  if (standing === 'ahead' && isLost !== true) return reject('account.usage-gap');
  if (standing === 'settled' || standing === 'unknown') return nothing;
  return accept({ type: 'UsageNumberSkipped', data: skipped });
};

export const abandonRequest = ({ data }: AbandonRequest): Answer => {
  if (data.confirmedNew !== true) return reject('account.outcome-uncertain');
  const { userId, requestId, relayId, tokenId, leaseId, reserved } = data;
  return accept({
    type: 'RequestAbandoned',
    data: { userId, requestId, relayId, tokenId, leaseId, reserved },
  });
};

/** At most what was charged, whatever was given back before by refunds and corrections. */
export const refundRequest = ({ data }: RefundRequest, state: AccountState): Answer => {
  const { userId, requestId, reason, charge } = data;
  if (!Number.isSafeInteger(data.amount) || data.amount <= 0) {
    return reject('account.invalid-amount');
  }
  if (charge === undefined) return reject('account.not-charged', { id: requestId });
  const left = Math.max(0, charge.amount - charge.refunded);
  const amount = data.atMost === true ? Math.min(left, data.amount) : data.amount;
  if (amount > left) return reject('account.refund-exceeds-charge', { amount, left });
  if (amount === 0) return nothing;
  const balanceAfter = state.balance + amount;
  if (!Number.isSafeInteger(balanceAfter)) return reject('account.overflow');
  return accept({
    type: 'RequestRefunded',
    data: { userId, requestId, tokenId: charge.tokenId, amount, reason, balanceAfter },
  });
};
