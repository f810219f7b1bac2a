import { quote, usage } from '../pricing/types.ts';
import { defineEvents, type EventsOf, fromVersion } from '../shared/catalogue.ts';
import {
  channelId,
  leaseId,
  producerId,
  relayId,
  requestId,
  tokenId,
  userId,
} from '../shared/ids.ts';
import { quotaDelta, quotaUnits } from '../shared/quota.ts';
import {
  flag,
  type Infer,
  instant,
  list,
  nullable,
  number,
  object,
  optional,
  text,
  textOf,
  whole,
} from '../shared/shape.ts';
import { platform } from '../task/events.ts';
import { adjustmentReason } from './adjustment-reason.ts';
import { usageNumber } from './usage-number.ts';

/*
 * The account of one user. Balance = granted + adjusted - charged + refunded. Every event that
 * moves money carries `balanceAfter`, so that the ledger shows a running balance without look-ups
 * and `verify` can compare the fold with it.
 */

export type GrantSource =
  | 'setup'
  | 'registration'
  | 'invitation'
  | 'redemption'
  | 'topup'
  | 'referral-transfer';
/** What was paid for a grant, as the payment provider reported it. */
const payment = object({
  provider: text,
  /** The provider's own number of the payment. */
  providerReference: text,
  /** Whole minor units. */
  paid: object({ amountMinor: whole, currency: text }),
  /** Part of the amount on top of what the money buys. */
  bonusQuota: quotaUnits,
});
export type GrantPayment = Infer<typeof payment>;

/** How a request ended, as far as it concerns the bill. */
export type RequestEnd = 'complete' | 'client-gone' | 'upstream-broken' | 'cut-off';

/**
 * What is recorded of a call apart from its price. Names of the user and the token are read by
 * their ids when a call is shown, and the caller's address is not kept: nothing personal remains
 * after the personal key of its user.
 */
export const call = object({
  requestId,
  relayId,
  /** 0: the playground, which has no token. */
  tokenId,
  channelId,
  /** Channels in the order they were tried. */
  channelsTried: list(channelId),
  /** The name in the client's request. */
  model: text,
  /** The name sent upstream, when it differs. */
  upstreamModel: nullable(text),
  group: text,
  path: text,
  isStream: flag,
  /** After the channel was chosen. */
  startedAt: instant,
  durationMs: number,
  /** Milliseconds to the first data; null when not a stream. */
  firstByteMs: nullable(number),
  /** The task that the call started; it has the id of the request. */
  task: optional(object({ platform, action: text, upstreamId: text })),
  /** How long the model was requested to think: `low`, `medium`, `high` and the like. */
  reasoningEffort: optional(text),
});
export type CallFacts = Infer<typeof call>;

const balanceAfter = whole;
const audited = defineEvents('account', 'account');
const unaudited = defineEvents('account', null);

export const accountEvents = {
  AccountOpened: unaudited({ userId }),
  QuotaGranted: audited({
    userId,
    amount: quotaUnits,
    source: textOf<GrantSource>(),
    /** Redemption id, trade number, inviter: what the source names. */
    reference: text,
    /** Of the source `topup`. */
    payment: optional(payment),
    balanceAfter,
  }),
  /** A person changed the balance, relative to its value then. `seen` is the balance that was shown. */
  QuotaAdjusted: fromVersion(
    2,
    audited({
      userId,
      delta: quotaDelta,
      seen: nullable(whole),
      reason: adjustmentReason,
      balanceAfter,
    }),
  ),
  /**
   * Quota was reserved for a relay. A second one with the same lease id adds to the first. `ask` is
   * the relay's number of the lease request, so that a repeat after a lost answer is granted once.
   * The first of a relay instance makes it a producer of the account.
   */
  QuotaLeased: unaudited({
    userId,
    tokenId,
    leaseId,
    relayId,
    amount: quotaUnits,
    ask: whole,
    producerId,
  }),
  /** The relay does not need `unspent` any more. `closes`: nor the lease. */
  LeaseReturned: unaudited({
    userId,
    leaseId,
    unspent: quotaUnits,
    usageNumber: optional(usageNumber),
    closes: flag,
  }),
  /** The relay stopped renewing; `unspent` is free again. */
  LeaseExpired: unaudited({ userId, leaseId, unspent: quotaUnits }),
  /** `price(usage, quote) === amount` is true of every one ever written. */
  RequestCharged: unaudited({
    userId,
    leaseId: nullable(leaseId),
    call,
    usage,
    /** `counted`: upstream reported nothing, a tokenizer did. */
    usageSource: textOf<'upstream' | 'counted'>(),
    /** Why usage differs from what upstream reported, when it was absurd. */
    usageNote: nullable(text),
    end: textOf<RequestEnd>(),
    quote,
    amount: quotaUnits,
    /** Place in the relay's own journal. */
    sequence: whole,
    /** Absent for a free task, which no lease funds, and where the account does not have the producer. */
    usageNumber: optional(usageNumber),
    /** The record had a number, of a producer that the account does not have. */
    isUnplaced: optional(flag),
    balanceAfter,
  }),
  /** A charge was given back in part or whole; reverses `used` too. */
  RequestRefunded: audited({
    userId,
    tokenId,
    requestId,
    amount: quotaUnits,
    reason: text,
    balanceAfter,
  }),
  /** The relay died with this request in flight; nothing was charged, the reservation is free again. */
  RequestAbandoned: unaudited({
    userId,
    tokenId,
    requestId,
    relayId,
    leaseId: nullable(leaseId),
    reserved: quotaUnits,
  }),
  /**
   * The record of this number cannot be settled; it is in `usageSetAside-<partition>`. With the reason
   * `lost`, it and those before it that are not settled are in no journal any more.
   */
  UsageNumberSkipped: unaudited({ userId, relayId, usageNumber, reason: text }),
  /**
   * The relay instance is over, its leases are closed, and all its numbers up to `last` are settled. With
   * `damaged`, its journal was not readable as a whole, and may have had records after `last`.
   */
  ProducerClosed: unaudited({
    userId,
    relayId,
    producerId,
    last: whole,
    damaged: optional(flag),
  }),
  /** What a token may still spend, set by its owner; charges of the token lower it. */
  TokenBudgetSet: unaudited({
    userId,
    tokenId,
    unlimited: flag,
    remain: quotaUnits,
  }),
  TokenBudgetClosed: unaudited({ userId, tokenId }),
  /** Earnings from an invited user; not spendable before they are transferred. */
  ReferralRewarded: unaudited({
    userId,
    amount: quotaUnits,
    inviteeId: userId,
  }),
  ReferralRewardTransferred: audited({
    userId,
    amount: quotaUnits,
    balanceAfter,
  }),
  /** A billing dispute was settled by a signed movement that names what it corrects. */
  CorrectionPosted: audited({
    userId,
    delta: quotaDelta,
    /** Event ids, or ids of requests that were charged. */
    corrects: list(text),
    reason: text,
    /** Of the dispute outside: a ticket, a letter. */
    reference: optional(text),
    balanceAfter,
  }),
};

type Events = EventsOf<typeof accountEvents>;
export type AccountOpened = Events['AccountOpened'];
export type QuotaGranted = Events['QuotaGranted'];
export type QuotaAdjusted = Events['QuotaAdjusted'];
export type QuotaLeased = Events['QuotaLeased'];
export type LeaseReturned = Events['LeaseReturned'];
export type RequestCharged = Events['RequestCharged'];
export type RequestRefunded = Events['RequestRefunded'];
export type RequestAbandoned = Events['RequestAbandoned'];
export type ProducerClosed = Events['ProducerClosed'];
export type TokenBudgetSet = Events['TokenBudgetSet'];
export type CorrectionPosted = Events['CorrectionPosted'];
export type AccountEvent = Events[keyof Events];
