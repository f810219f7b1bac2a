import type { Quote, Usage } from '../pricing/types.ts';
import type { Command } from '../shared/event.ts';
import type { LeaseId, RelayId, RequestId, TokenId, UserId } from '../shared/ids.ts';
import type { QuotaDelta, QuotaUnits } from '../shared/quota.ts';
import type { AdjustmentReason } from './adjustment-reason.ts';
import type { CallFacts, GrantPayment, GrantSource, RequestEnd } from './events.ts';

export type OpenAccount = Command<'OpenAccount', { userId: UserId }>;
export type GrantQuota = Command<
  'GrantQuota',
  {
    userId: UserId;
    amount: QuotaUnits;
    source: GrantSource;
    reference: string;
    payment?: GrantPayment;
  }
>;
/** Relative to the current balance; `seen` is the balance that the person saw. */
export type AdjustQuota = Command<
  'AdjustQuota',
  { userId: UserId; delta: QuotaDelta; seen: number | null; reason: AdjustmentReason }
>;
/** What the token may spend from now on; replaces what was left before. */
export type SetTokenBudget = Command<
  'SetTokenBudget',
  { userId: UserId; tokenId: TokenId; unlimited: boolean; remain: QuotaUnits }
>;
export type CloseTokenBudget = Command<'CloseTokenBudget', { userId: UserId; tokenId: TokenId }>;

/** `ask` numbers the requests for one lease; the same one again gets the same grant once. */
export type LeaseQuota = Command<
  'LeaseQuota',
  {
    userId: UserId;
    tokenId: TokenId;
    relayId: RelayId;
    leaseId: LeaseId;
    need: QuotaUnits;
    ask: number;
  }
>;
/** `unspent` is what the relay knows of; a grant that has not reached it yet stays in the lease. */
export type ReturnLease = Command<
  'ReturnLease',
  { userId: UserId; leaseId: LeaseId; unspent: QuotaUnits }
>;
export type ExpireLease = Command<'ExpireLease', { userId: UserId; leaseId: LeaseId }>;

/**
 * The service was delivered, so a charge is never refused. `confirmedNew`: the caller read the stream
 * and found no outcome of this request, needed when the sequence alone does not tell.
 */
export type ChargeRequest = Command<
  'ChargeRequest',
  {
    userId: UserId;
    leaseId: LeaseId | null;
    call: CallFacts;
    usage: Usage;
    usageSource: 'upstream' | 'counted';
    usageNote: string | null;
    end: RequestEnd;
    quote: Quote;
    sequence: number;
    confirmedNew?: true;
  }
>;
/** `confirmedNew` as in ChargeRequest. */
export type AbandonRequest = Command<
  'AbandonRequest',
  {
    userId: UserId;
    requestId: RequestId;
    relayId: RelayId;
    tokenId: TokenId;
    leaseId: LeaseId | null;
    reserved: QuotaUnits;
    confirmedNew?: true;
  }
>;
/** `charge` is what the stream says of the request; the keeper looks it up, callers leave it out. */
export type RefundRequest = Command<
  'RefundRequest',
  {
    userId: UserId;
    requestId: RequestId;
    amount: QuotaUnits;
    reason: string;
    charge?: Readonly<{ amount: QuotaUnits; refunded: QuotaUnits; tokenId: TokenId }>;
  }
>;
export type RewardReferral = Command<
  'RewardReferral',
  { userId: UserId; amount: QuotaUnits; inviteeId: UserId }
>;
export type TransferReferralReward = Command<
  'TransferReferralReward',
  { userId: UserId; amount: QuotaUnits }
>;
export type PostCorrection = Command<
  'PostCorrection',
  {
    userId: UserId;
    delta: QuotaDelta;
    corrects: readonly string[];
    reason: string;
    reference?: string;
  }
>;

export type AccountCommand =
  | OpenAccount
  | GrantQuota
  | AdjustQuota
  | SetTokenBudget
  | CloseTokenBudget
  | LeaseQuota
  | ReturnLease
  | ExpireLease
  | ChargeRequest
  | AbandonRequest
  | RefundRequest
  | RewardReferral
  | TransferReferralReward
  | PostCorrection;

/** Why a command is refused. Charges never are. */
export type AccountRejection =
  | 'account.not-open'
  | 'account.invalid-amount'
  | 'account.overflow'
  | 'account.balance-exhausted'
  | 'account.token-exhausted'
  | 'account.not-charged'
  | 'account.refund-exceeds-charge'
  | 'account.reward-exhausted'
  | 'account.outcome-uncertain';
