import type { AccountEvent } from '../../domain/account/events.ts';

/** The one place where the log's word is taken for the shape of an account's event. */
const accountTypes: Readonly<Record<AccountEvent['type'], true>> = {
  AccountOpened: true,
  QuotaGranted: true,
  QuotaAdjusted: true,
  QuotaLeased: true,
  LeaseReturned: true,
  LeaseExpired: true,
  RequestCharged: true,
  RequestRefunded: true,
  RequestAbandoned: true,
  TokenBudgetSet: true,
  TokenBudgetClosed: true,
  ReferralRewarded: true,
  ReferralRewardTransferred: true,
  CorrectionPosted: true,
};

export const isAccountEvent = (event: Readonly<{ type: string }>): event is AccountEvent =>
  Object.hasOwn(accountTypes, event.type);

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
    default:
      return 0;
  }
};

/** null: the event moves nothing. */
export const balanceClaimedBy = (event: AccountEvent): number | null =>
  'balanceAfter' in event.data ? event.data.balanceAfter : null;
