import type { LeaseIdle, LeaseRefusal } from '../../domain/account/messages.ts';
import type { LeaseId, RelayId, TokenId, UserId } from '../../domain/shared/ids.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Metrics } from '../../infra/ports/metrics.ts';
import type { Timers } from '../../infra/ports/timers.ts';
import { KeeperLeaseBook } from './lease-book-keeper.ts';

/** A part of a lease that one request holds while it runs. */
export type Reservation = {
  readonly leaseId: LeaseId;
  readonly userId: UserId;
  readonly tokenId: TokenId;
  /** Units reserved for this request; grows with `extend`, 0 after `settle`. */
  reserved: number;
};

export type ReserveResult =
  | Readonly<{ kind: 'reserved'; reservation: Reservation }>
  | Readonly<{
      kind: 'refused';
      refusal: LeaseRefusal | 'keeper-unavailable';
      balance: number;
      tokenRemain: number | null;
    }>;

/** The quota that this relay may spend without a lease request. */
export interface LeaseBook {
  /** No await when the warm lease funds it; null: call `reserve`. */
  tryReserve(userId: UserId, tokenId: TokenId, need: number): Reservation | null;
  reserve(userId: UserId, tokenId: TokenId, need: number): Promise<ReserveResult>;
  /** Grows a reservation while a stream runs; false when the lease cannot fund it now. */
  extend(reservation: Reservation, more: number): boolean;
  /** The request cost `amount`, which may exceed the reservation; frees the rest. Once only. */
  settle(reservation: Reservation, amount: number): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** An idle lease on its way back; the journal adds its numbering. */
export type LeaseIdleEntry = Omit<LeaseIdle, 'sequence' | 'relayId' | 'kind'>;

/** Where returned leases are recorded, in order with the usage of the same account. */
type LeaseJournal = Readonly<{ leaseIdle(entry: LeaseIdleEntry): void }>;

export type LeaseBookSettings = Readonly<{
  bus: Bus;
  relayId: RelayId;
  journal: LeaseJournal;
  clock: Clock;
  timers: Timers;
  logger: Logger;
  metrics: Metrics;
  /** Heartbeat interval; 5 s by default, a sixth of the keeper's timeout. */
  heartbeatMs?: number;
  /** A lease that is unused for this long goes back; 60 s by default. */
  idleMs?: number;
  /** Timeout of one lease request; 2 s by default. */
  askTimeoutMs?: number;
}>;

export const createLeaseBook = (settings: LeaseBookSettings): LeaseBook =>
  new KeeperLeaseBook(settings);
