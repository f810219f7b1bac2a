import type { Quote, Usage } from '../pricing/types.ts';
import type { LeaseId, RelayId, RequestId, TokenId, UserId } from '../shared/ids.ts';
import type { QuotaUnits } from '../shared/quota.ts';
import type { TaskNote } from '../task/messages.ts';
import type { CallFacts, RequestEnd } from './events.ts';

/*
 * What relays and account keepers say to each other. Subjects:
 *   request  `keeper.lease`      LeaseRequest → LeaseReply
 *   publish  `relay.alive`       RelayAlive, every few seconds
 *   queue    `usage`             UsageLines[], in the order of the relay's journal
 */

/** A lease request: quota to reserve for one account and token. */
export type LeaseRequest = Readonly<{
  relayId: RelayId;
  userId: UserId;
  /** 0: the playground. */
  tokenId: TokenId;
  /** The sum that waits to be funded. The keeper may grant less when the account holds less. */
  need: QuotaUnits;
  /** Numbers the requests for this lease, from 1; after a lost answer the same number is sent again. */
  ask: number;
}>;
export type LeaseRefusal = 'no-account' | 'balance-exhausted' | 'token-exhausted';
export type LeaseReply = Readonly<{
  leaseId: LeaseId;
  /** Added to the lease by this reply; 0 with a refusal. */
  granted: QuotaUnits;
  refusal: LeaseRefusal | null;
  /** The balance and what the token may spend, for the message to the caller. null: unlimited. */
  balance: number;
  tokenRemain: number | null;
  /** The keeper held no such lease before: whatever the relay held under it had expired. */
  fresh: boolean;
}>;

/** "I live": keeps the leases of this relay from expiring. */
export type RelayAlive = Readonly<{ relayId: RelayId }>;

/** What a record says of a task beside the money, so that neither is known without the other. */
type OfTask = Readonly<{ task?: TaskNote }>;
type Numbered = Readonly<{
  relayId: RelayId;
  userId: UserId;
  /** Rises by one with each record of this relay's journal. */
  sequence: number;
}>;
/** A request was admitted. Lets a keeper or a restarted relay close it when the relay dies. */
export type RequestStarted = Numbered &
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
export type RequestUsed = Numbered &
  OfTask &
  Readonly<{
    kind: 'used';
    leaseId: LeaseId | null;
    call: CallFacts;
    usage: Usage;
    usageSource: 'upstream' | 'counted';
    usageNote: string | null;
    end: RequestEnd;
    quote: Quote;
  }>;
/** A request ended with nothing to charge; goes to the error log of the relay. */
export type RequestFailedRecord = Numbered &
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
export type RequestLost = Numbered &
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
/** The lease is idle; `unspent` is what the relay holds of it after all earlier records. */
export type LeaseIdle = Numbered &
  Readonly<{ kind: 'lease-idle'; leaseId: LeaseId; unspent: QuotaUnits }>;

export type UsageRecord =
  | RequestStarted
  | RequestUsed
  | RequestFailedRecord
  | RequestLost
  | LeaseIdle;

/** How records travel on the queue: lines of the relay's journal, each JSON of a `UsageRecord`. */
export type UsageLines = string;

export { accountPartitions } from '../shared/partitions.ts';
