import type { Quote, Usage } from '../pricing/types.ts';
import type { Command } from '../shared/event.ts';
import type { LeaseId, ProducerId, RelayId, RequestId, TokenId, UserId } from '../shared/ids.ts';
import type { QuotaDelta, QuotaUnits } from '../shared/quota.ts';
import type { AdjustmentReason } from './adjustment-reason.ts';
import type { CallFacts, GrantPayment, GrantSource, RequestEnd } from './events.ts';
import type { UsageNumber } from './usage-number.ts';

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
/** `unspent` is the relay's figure. `closes`: all that the lease holds is returned, and it ends. */
export type ReturnLease = Command<
  'ReturnLease',
  {
    userId: UserId;
    relayId: RelayId;
    leaseId: LeaseId;
    unspent: QuotaUnits;
    usageNumber: UsageNumber;
    closes: boolean;
  }
>;
export type ExpireLease = Command<'ExpireLease', { userId: UserId; leaseId: LeaseId }>;

/**
 * The service was delivered, so a charge is never refused: it waits while a number before its own is
 * missing. `confirmedNew`: the caller read the stream and found no outcome of this request, needed
 * where the number does not decide it.
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
    usageNumber?: UsageNumber;
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
    producerId?: ProducerId;
    confirmedNew?: true;
  }
>;
/** So that the numbers after a record that cannot be settled do not wait for it. */
export type SkipUsageNumber = Command<
  'SkipUsageNumber',
  {
    userId: UserId;
    relayId: RelayId;
    usageNumber: UsageNumber;
    reason: string;
    /** Those between the last that is settled and this one are lost as well. */
    isLost?: true;
  }
>;
export type CloseProducer = Command<
  'CloseProducer',
  { userId: UserId; relayId: RelayId; producerId: ProducerId; last: number; damaged?: boolean }
>;
/**
 * `charge` is the request's record in the stream; the keeper reads it, callers leave it out.
 * `refunded`: given back by refunds and corrections, less what corrections charged on top.
 */
export type RefundRequest = Command<
  'RefundRequest',
  {
    userId: UserId;
    requestId: RequestId;
    amount: QuotaUnits;
    reason: string;
    /** Where less than `amount` is left of the charge, refunds what is left. */
    atMost?: true;
    charge?: Readonly<{ amount: QuotaUnits; refunded: number; tokenId: TokenId }>;
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
/**
 * `corrects` names charges of the account, by request id or by event id. `charged` is their record
 * in the stream; the keeper reads it, callers leave it out.
 */
export type PostCorrection = Command<
  'PostCorrection',
  {
    userId: UserId;
    delta: QuotaDelta;
    corrects: readonly string[];
    reason: string;
    reference?: string;
    /** `left`: not given back so far, of all together. `unknown`: names that are no charge. */
    charged?: Readonly<{ left: QuotaUnits; unknown: readonly string[] }>;
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
  | SkipUsageNumber
  | CloseProducer
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
  | 'account.correction-exceeds-charge'
  | 'account.reward-exhausted'
  | 'account.outcome-uncertain'
  | 'account.usage-gap'
  | 'account.lease-closed';
