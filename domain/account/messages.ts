import type { Quote, Usage } from '../pricing/types.ts';
import type { LeaseId, ProducerId, RelayId, RequestId, TokenId, UserId } from '../shared/ids.ts';
import type { QuotaUnits } from '../shared/quota.ts';
import type { TaskNote } from '../task/messages.ts';
import type { CallFacts, RequestEnd } from './events.ts';
import type { UsageNumber } from './usage-number.ts';

/*
 * Messages between relays and account keepers. Subjects:
 *   request  `keeper.lease`   LeaseRequest → LeaseReply
 *   publish  `relay.alive`    RelayAlive, every few seconds
 *   publish  `lease.renewed`  LeasesRenewed, the answer of each keeper to a `relay.alive`
 *   publish  `lease.recall`   LeaseRecall, to all relays
 *   publish  `lease.recalled` LeaseRecalled, the answer of each relay to a recall of what is idle
 *   publish  `lease.inquiry`  LeaseInquiry, to all relays
 *   queue    `usage`          UsageLines[], in the order of the relay's journal
 *   publish  `usage.settled`  UsageSettled, once a batch of the queue is in the log
 */

/** A lease request: quota to reserve for one account and token. */
export type LeaseRequest = Readonly<{
  relayId: RelayId;
  userId: UserId;
  /** 0: the playground. */
  tokenId: TokenId;
  /** Numbers the leases of this relay instance; part of the lease's id. */
  lease: number;
  /** The sum that waits to be funded. The keeper may grant less when the account holds less. */
  need: QuotaUnits;
  /** Numbers the requests for this lease, from 1; after a lost answer the same number is sent again. */
  ask: number;
  /**
   * Set when an earlier lease of this relay in the account lapsed: the last number that the relay
   * recorded for the account, 0 once that is settled. Nothing is granted before all up to it is
   * settled. What was settled is not awaited: a log that was restored since may never contain it.
   */
  recorded?: number;
}>;
/**
 * `usage-pending`: what relays recorded, or still hold idle, is not settled yet; to be sent again.
 * `lease-closed`: a lease is closed once and for all; to be sent again under another number.
 */
export type LeaseRefusal =
  | 'no-account'
  | 'balance-exhausted'
  | 'token-exhausted'
  | 'usage-pending'
  | 'lease-closed';
export type LeaseReply = Readonly<{
  leaseId: LeaseId;
  /** Under which the relay numbers what it records for the account; null where it holds no lease. */
  producerId: ProducerId | null;
  /** Added to the lease by this reply; 0 with a refusal. */
  granted: QuotaUnits;
  refusal: LeaseRefusal | null;
  /** The balance and what the token may spend, for the message to the caller. null: unlimited. */
  balance: number;
  tokenRemain: number | null;
  /** The keeper held no such lease before: whatever the relay held under it had expired. */
  fresh: boolean;
}>;

/** Requests every keeper to renew the leases of this relay instance. */
export type RelayAlive = Readonly<{
  relayId: RelayId;
  /** Rises by one with each. */
  heartbeat: number;
}>;
/**
 * A keeper received this heartbeat: from the moment of its answer, on its own monotonic clock, it
 * waits a whole term before it grants the quota of this relay's leases in these partitions to
 * others. The relay counts the term from the moment at which it sent the heartbeat.
 */
export type LeasesRenewed = Readonly<{
  relayId: RelayId;
  heartbeat: number;
  partitions: readonly number[];
}>;
/** Quota of this account that no request holds is to be returned now. */
export type LeaseRecall = Readonly<{
  userId: UserId;
  /**
   * The balance or the budget of a token was lowered: on these leases no request is admitted any
   * more. Sent again until they are closed. Absent: what is idle is needed by others.
   */
  lowered?: readonly LoweredLease[];
}>;
/**
 * What no request held of the account at the recall is recorded, up to this number of the relay in
 * the account; 0: it has recorded nothing there that is not settled.
 */
export type LeaseRecalled = Readonly<{ relayId: RelayId; userId: UserId; recorded: number }>;
/** `loweredAt`: revision of the event that lowered it, so that a repeat is recognised. */
export type LoweredLease = Readonly<{ leaseId: LeaseId; loweredAt: number }>;
/**
 * The leases of an account that was quiet for long. A relay records the end of each that is named
 * as its own and that it does not hold: its grant arrived after the relay had given up the request,
 * or its end was in what a restored log has lost.
 */
export type LeaseInquiry = Readonly<{
  userId: UserId;
  leases: readonly Readonly<{ leaseId: LeaseId; relayId: RelayId; producerId: ProducerId }>[];
}>;
/** What became of batches of the relay's usage. */
export type UsageSettled = Readonly<{
  relayId: RelayId;
  partition: number;
  /** Every record of them is in the log. */
  batches: readonly number[];
  /** They hold records that wait for a number before their own, and are to be sent again with it. */
  waiting?: readonly number[];
}>;

/** A record's report of a task in addition to the money, so that both are stored together. */
type OfTask = Readonly<{ task?: TaskNote }>;
type Journaled = Readonly<{
  relayId: RelayId;
  userId: UserId;
  /** Rises by one with each record of this relay's journal. */
  sequence: number;
}>;
/** Of a request that may be abandoned; absent for a free task, which no lease funds. */
type OfProducer = Journaled & Readonly<{ producerId?: ProducerId }>;
/** A request was admitted. Lets a keeper or a restarted relay close it when the relay dies. */
export type RequestStarted = OfProducer &
  OfTask &
  Readonly<{
    kind: 'started';
    requestId: RequestId;
    tokenId: TokenId;
    leaseId: LeaseId | null;
    reserved: QuotaUnits;
    /** ISO-8601 */
    startedAt: string;
  }>;
/** A request ended and is to be charged. */
export type RequestUsed = Journaled &
  OfTask &
  Readonly<{
    kind: 'used';
    /** Absent for a free task, which no lease funds. */
    usageNumber?: UsageNumber;
    leaseId: LeaseId | null;
    call: CallFacts;
    usage: Usage;
    usageSource: 'upstream' | 'counted';
    usageNote: string | null;
    end: RequestEnd;
    quote: Quote;
  }>;
/** A request ended with nothing to charge; goes to the error log of the relay. */
export type RequestFailedRecord = Journaled &
  OfTask &
  Readonly<{
    kind: 'failed';
    call: CallFacts;
    /** HTTP status that the client saw; 499 when the client had gone. */
    statusCode: number;
    errorType: string;
    errorCode: string;
    message: string;
  }>;
/** A request of a relay that died, found in its journal or in the keeper's list of open ones. */
export type RequestLost = OfProducer &
  OfTask &
  Readonly<{
    kind: 'lost';
    requestId: RequestId;
    tokenId: TokenId;
    leaseId: LeaseId | null;
    reserved: QuotaUnits;
    /** ISO-8601 */
    startedAt: string;
  }>;
/** Quota of the lease that no request holds goes back, after all earlier records. */
export type LeaseIdle = Journaled &
  Readonly<{
    kind: 'lease-idle';
    usageNumber: UsageNumber;
    leaseId: LeaseId;
    unspent: QuotaUnits;
    /** The relay will not use the lease again. */
    closes: boolean;
  }>;
/** The relay instance is over for this account: `last` is its last number, 0 where it has none. */
export type ProducerEnded = Journaled &
  Readonly<{
    kind: 'producer-ended';
    producerId: ProducerId;
    last: number;
    /** The journal was damaged: records beyond `last` may have been in it. */
    damaged?: true;
  }>;

export type UsageRecord =
  | RequestStarted
  | RequestUsed
  | RequestFailedRecord
  | RequestLost
  | LeaseIdle
  | ProducerEnded;

/** The first line of an item of the queue: who sent it, and what `UsageSettled` calls it. */
export type UsageBatch = Readonly<{
  kind: 'batch';
  relayId: RelayId;
  batch: number;
  /**
   * It is sent again, and its relay holds no older record of the partition: missing numbers before
   * it were settled once, or lost, and never arrive.
   */
  isOldest?: true;
}>;
/**
 * How records travel on the queue: a line with the JSON of a `UsageBatch`, then lines of the relay's
 * journal, each the JSON of a `UsageRecord`. A version before sent no first line, and was not answered.
 */
export type UsageLines = string;

export { accountPartitions } from '../shared/partitions.ts';
