import type { Clock } from './clock.ts';
import type { EventStore } from './event-store.ts';
import type { ReadModels } from './read-models.ts';
import type { Timers } from './timers.ts';

/** Every kind of break that verify reports. */
export type BreakKind =
  | 'unreadable'
  | 'event-twice'
  | 'revision-gap'
  | 'metadata-missing'
  | 'wrong-stream'
  | 'price-mismatch'
  | 'balance-mismatch'
  | 'lease-unknown'
  | 'lease-amount'
  | 'lease-overdraws'
  | 'lease-left-open'
  | 'charged-twice'
  | 'usage-of-no-producer'
  | 'usage-repeated'
  | 'usage-missing'
  | 'abandoned-twice'
  | 'two-outcomes'
  | 'refund-without-charge'
  | 'refund-exceeds-charge'
  | 'correction-of-nothing'
  | 'correction-exceeds-charge'
  | 'granted-twice'
  | 'redeemed-twice'
  | 'redemption-not-granted'
  | 'grant-without-redemption'
  | 'order-mismatch'
  | 'paid-without-order'
  | 'paid-mismatch'
  | 'paid-twice'
  | 'payment-not-granted'
  | 'grant-without-payment'
  | 'task-charge-mismatch'
  | 'task-not-refunded'
  | 'refund-without-failure'
  | 'personal-key-missing'
  | 'personal-key-left'
  | 'snapshot-mismatch'
  | 'actor-mismatch'
  | 'dead-letter'
  | 'checkpoint-ahead'
  | 'checkpoint-behind'
  | 'checkpoint-mismatch'
  | 'read-model-missing'
  | 'row-differs'
  | 'row-missing'
  | 'row-unexpected';

/** One break. An event names itself by id; a row by its table and key. */
export type Break = Readonly<{
  kind: BreakKind;
  eventId: string | null;
  streamId: string | null;
  /** Place in the log, decimal text. */
  position: string | null;
  /** `user_list.users/42` */
  row: string | null;
  /** The actual and the expected value, for a person. */
  detail: string;
}>;

export type VerifyReport = Readonly<{
  /** ISO-8601 */
  startedAt: string;
  finishedAt: string;
  /** Newest event that was walked, decimal text; null in an empty log. */
  head: string | null;
  events: number;
  accounts: number;
  requests: Readonly<{
    charged: number;
    failed: number;
    abandoned: number;
    /** Started by a relay, and without an outcome so far. */
    open: number;
  }>;
  leases: Readonly<{ opened: number; closed: number; alive: number }>;
  /** Rows of read models that were held against the log. */
  rows: number;
  /** The first ones in the order of the log; `breakCounts` has all. */
  breaks: readonly Break[];
  breakCounts: Readonly<Partial<Record<BreakKind, number>>>;
  /** What could not be compared, and why. */
  notes: readonly string[];
}>;

export type VerifyProgress = Readonly<{
  phase: 'log' | 'read-models';
  events: number;
  /** 0 to 1. */
  share: number;
}>;

export type VerifyInput = Readonly<{
  eventStore: EventStore;
  /** null: only the log is walked. */
  readModels: ReadModels | null;
  clock: Clock;
  /** Those of this process when absent. */
  timers?: Timers;
  onProgress?: (progress: VerifyProgress) => void;
  /** Relays with a recent heartbeat: their leases may be open. */
  aliveRelays?: ReadonlySet<string>;
  /** Request ids that relays have announced and not closed. */
  started?: Iterable<string>;
  /** How long the read models may take to reach the head; 10 s by default. */
  patienceMs?: number;
}>;

/** Walks the whole log once and reports every break; changes nothing. */
export type Verify = (input: VerifyInput) => Promise<VerifyReport>;
