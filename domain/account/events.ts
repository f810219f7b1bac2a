import type { Quote, Usage } from '../pricing/types.ts';
import type { Event } from '../shared/event.ts';
import type {
  ChannelId,
  LeaseId,
  ProducerId,
  RelayId,
  RequestId,
  TokenId,
  UserId,
} from '../shared/ids.ts';
import type { QuotaDelta, QuotaUnits } from '../shared/quota.ts';
import type { TaskPlatform } from '../task/events.ts';
import type { AdjustmentReason } from './adjustment-reason.ts';
import type { UsageNumber } from './usage-number.ts';

/*
 * The account of one user. Balance = granted + adjusted - charged + refunded.
 * Every event that moves money carries `balanceAfter`, so that the ledger shows a running balance
 * without look-ups and `verify` can compare the fold with it.
 */

export type AccountOpened = Event<'AccountOpened', { userId: UserId }>;

export type GrantSource =
  | 'setup'
  | 'registration'
  | 'invitation'
  | 'redemption'
  | 'topup'
  | 'referral-transfer';
/** What was paid for a grant, as the payment provider reported it. */
export type GrantPayment = Readonly<{
  provider: string;
  /** The provider's own number of the payment. */
  providerReference: string;
  /** Whole minor units. */
  paid: Readonly<{ amountMinor: number; currency: string }>;
  /** Part of the amount that came on top of what the money buys. */
  bonusQuota: QuotaUnits;
}>;
export type QuotaGranted = Event<
  'QuotaGranted',
  {
    userId: UserId;
    amount: QuotaUnits;
    source: GrantSource;
    /** Redemption id, trade number, inviter: what the source names. */
    reference: string;
    /** Of the source `topup`. */
    payment?: GrantPayment;
    balanceAfter: number;
  }
>;
/** A person changed the balance, relative to what stood there. `seen` is the balance that was shown. */
export type QuotaAdjusted = Event<
  'QuotaAdjusted',
  {
    userId: UserId;
    delta: QuotaDelta;
    seen: number | null;
    reason: AdjustmentReason;
    balanceAfter: number;
  }
>;
/**
 * Quota was reserved for a relay. A second one with the same lease id adds to the first. `ask` is
 * the relay's number of the lease request, so that a repeat after a lost answer is granted once.
 * The first of a relay instance makes it a producer of the account.
 */
export type QuotaLeased = Event<
  'QuotaLeased',
  {
    userId: UserId;
    tokenId: TokenId;
    leaseId: LeaseId;
    relayId: RelayId;
    amount: QuotaUnits;
    ask: number;
    producerId: ProducerId;
  }
>;
/** The relay does not need `unspent` any more. `closes`: nor the lease. */
export type LeaseReturned = Event<
  'LeaseReturned',
  {
    userId: UserId;
    leaseId: LeaseId;
    unspent: QuotaUnits;
    usageNumber?: UsageNumber;
    closes: boolean;
  }
>;
/** The relay stopped renewing; `unspent` is free again. */
export type LeaseExpired = Event<
  'LeaseExpired',
  { userId: UserId; leaseId: LeaseId; unspent: QuotaUnits }
>;

/** How a request ended, as far as it concerns the bill. */
export type RequestEnd = 'complete' | 'client-gone' | 'upstream-broken' | 'cut-off';

/** A call that set a task going; the task has the id of the request. */
export type CallTask = Readonly<{ platform: TaskPlatform; action: string; upstreamId: string }>;

/**
 * What is recorded of a call apart from its price. Names of the user and the token are looked up by their
 * ids when a call is shown, and the caller's address is not kept: nothing personal remains after the
 * personal key of its user.
 */
export type CallFacts = Readonly<{
  requestId: RequestId;
  relayId: RelayId;
  /** 0: the playground, which has no token. */
  tokenId: TokenId;
  channelId: ChannelId;
  /** Channels in the order they were tried. */
  channelsTried: readonly ChannelId[];
  /** The name that the client asked for. */
  model: string;
  /** The name sent upstream, when it differs. */
  upstreamModel: string | null;
  group: string;
  path: string;
  isStream: boolean;
  /** ISO-8601, after the channel was chosen. */
  startedAt: string;
  durationMs: number;
  /** Milliseconds to the first data; null when not a stream. */
  firstByteMs: number | null;
  task?: CallTask;
  /** How long the model was asked to think: `low`, `medium`, `high` and the like. */
  reasoningEffort?: string;
}>;

/** `price(usage, quote) === amount` holds for every one ever written. */
export type RequestCharged = Event<
  'RequestCharged',
  {
    userId: UserId;
    leaseId: LeaseId | null;
    call: CallFacts;
    usage: Usage;
    /** `counted`: upstream reported nothing, a tokenizer did. */
    usageSource: 'upstream' | 'counted';
    /** Why usage differs from what upstream said, when it was absurd. */
    usageNote: string | null;
    end: RequestEnd;
    quote: Quote;
    amount: QuotaUnits;
    /** Place in the relay's own journal. */
    sequence: number;
    /** Absent for a free task, which no lease funds, and where the account does not have the producer. */
    usageNumber?: UsageNumber;
    /** The record had a number, of a producer that the account does not have. */
    isUnplaced?: boolean;
    balanceAfter: number;
  }
>;
/** A charge was given back in part or whole; reverses `used` too. */
export type RequestRefunded = Event<
  'RequestRefunded',
  {
    userId: UserId;
    requestId: RequestId;
    tokenId: TokenId;
    amount: QuotaUnits;
    reason: string;
    balanceAfter: number;
  }
>;
/** The relay died with this request in flight; nothing was charged, the reservation is free again. */
export type RequestAbandoned = Event<
  'RequestAbandoned',
  {
    userId: UserId;
    requestId: RequestId;
    relayId: RelayId;
    tokenId: TokenId;
    leaseId: LeaseId | null;
    reserved: QuotaUnits;
  }
>;
/**
 * The record of this number cannot be settled; it stands in `usageSetAside-<partition>`. With the reason
 * `lost`, it and those before it that are not settled are in no journal any more.
 */
export type UsageNumberSkipped = Event<
  'UsageNumberSkipped',
  { userId: UserId; relayId: RelayId; usageNumber: UsageNumber; reason: string }
>;
/**
 * The relay instance is over, its leases are closed, and all its numbers up to `last` are settled. With
 * `damaged`, its journal was not readable as a whole, and may have held records after `last`.
 */
export type ProducerClosed = Event<
  'ProducerClosed',
  { userId: UserId; relayId: RelayId; producerId: ProducerId; last: number; damaged?: boolean }
>;
/** What a token may still spend, set by its owner; charges of the token lower it. */
export type TokenBudgetSet = Event<
  'TokenBudgetSet',
  { userId: UserId; tokenId: TokenId; unlimited: boolean; remain: QuotaUnits }
>;
export type TokenBudgetClosed = Event<'TokenBudgetClosed', { userId: UserId; tokenId: TokenId }>;
/** Earnings from an invited user; not spendable before they are transferred. */
export type ReferralRewarded = Event<
  'ReferralRewarded',
  { userId: UserId; amount: QuotaUnits; inviteeId: UserId }
>;
export type ReferralRewardTransferred = Event<
  'ReferralRewardTransferred',
  { userId: UserId; amount: QuotaUnits; balanceAfter: number }
>;
/** A billing dispute was settled by a signed movement that names what it corrects. */
export type CorrectionPosted = Event<
  'CorrectionPosted',
  {
    userId: UserId;
    delta: QuotaDelta;
    /** Event ids, or ids of requests that were charged. */
    corrects: readonly string[];
    reason: string;
    /** Of the dispute outside: a ticket, a letter. */
    reference?: string;
    balanceAfter: number;
  }
>;

export type AccountEvent =
  | AccountOpened
  | QuotaGranted
  | QuotaAdjusted
  | QuotaLeased
  | LeaseReturned
  | LeaseExpired
  | RequestCharged
  | RequestRefunded
  | RequestAbandoned
  | UsageNumberSkipped
  | ProducerClosed
  | TokenBudgetSet
  | TokenBudgetClosed
  | ReferralRewarded
  | ReferralRewardTransferred
  | CorrectionPosted;
