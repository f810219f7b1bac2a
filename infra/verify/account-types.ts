import type { AccountEvent } from '../../domain/account/events.ts';

/** What an event adds to the balance, in quota units. */
export const movementOf = (event: AccountEvent): number => {
  switch (event.type) {
    case 'QuotaGranted':
    case 'RequestRefunded':
    case 'ReferralRewardTransferred':
      return event.data.amount;
    case 'QuotaAdjusted':
    case 'CorrectionPosted':
      return event.data.delta;
    case 'RequestCharged':
      return -event.data.amount;
    case 'AccountOpened':
    case 'QuotaLeased':
    case 'LeaseReturned':
    case 'LeaseExpired':
    case 'RequestAbandoned':
    case 'UsageNumberSkipped':
    case 'ProducerClosed':
    case 'TokenBudgetSet':
    case 'TokenBudgetClosed':
    case 'ReferralRewarded':
      return 0;
  }
};

/** null: the event moves nothing. */
export const balanceClaimedBy = (event: AccountEvent): number | null =>
  'balanceAfter' in event.data ? event.data.balanceAfter : null;
