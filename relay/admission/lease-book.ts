import type { LeaseIdle, LeaseRefusal } from '../../domain/account/messages.ts';
import type { LeaseId, ProducerId, RelayId, TokenId, UserId } from '../../domain/shared/ids.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Metrics } from '../../infra/ports/metrics.ts';
import type { Timers } from '../../infra/ports/timers.ts';
import { KeeperLeaseBook } from './lease-book-keeper.ts';

/** A part of a lease that one request holds while it runs. */
export type Reservation = {
  readonly leaseId: LeaseId;
  /** Under which the journal numbers the outcome. */
  readonly producerId: ProducerId | null;
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

export type QuotaRequest = Readonly<{
  userId: UserId;
  tokenId: TokenId;
  need: number;
  /** Of a call that may cost less than its need: all that is free is reserved, from so much on. */
  least?: number;
}>;

/** The quota that this relay may spend without a lease request. */
export interface LeaseBook {
  /** No await when the warm lease funds it; null: call `reserve`. */
  tryReserve(userId: UserId, tokenId: TokenId, need: number): Reservation | null;
  /** `isGone`: the caller has left, and nothing is to be reserved for it any more. */
  reserve(request: QuotaRequest, isGone?: () => boolean): Promise<ReserveResult>;
  /** Grows a reservation while a stream runs; false when the lease cannot fund it now. */
  extend(reservation: Reservation, more: number): boolean;
  /** One more reservation for a request that runs, of the keeper where need be; refused once it has ended. */
  reserveMore(reservation: Reservation, need: number): Promise<ReserveResult>;
  /** The request cost `amount`, which may exceed the reservation; frees the rest. Once only. */
  settle(reservation: Reservation, amount: number): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** An idle lease on its way back; the journal adds its numbering. */
export type LeaseIdleEntry = Omit<LeaseIdle, 'sequence' | 'relayId' | 'kind' | 'usageNumber'> &
  Readonly<{ producerId: ProducerId }>;

/** Where returned leases are recorded, in order with the usage of the same account. */
export type LeaseJournal = Readonly<{
  leaseIdle(entry: LeaseIdleEntry): void;
  /** The last number recorded for this account; 0: none, or all that was recorded is settled. */
  unsettledNumber(userId: UserId): number;
}>;

export type LeaseBookSettings = Readonly<{
  bus: Bus;
  relayId: RelayId;
  journal: LeaseJournal;
  timers: Timers;
  logger: Logger;
  metrics: Metrics;
  /** Term of a lease, the same as the keeper's; 30 s by default. */
  termMs?: number;
  /** Heartbeat interval; a sixth of the term by default. */
  heartbeatMs?: number;
  /** A lease that is unused for this long goes back; 60 s by default. */
  idleMs?: number;
  /** Timeout of one lease request; 2 s by default. */
  askTimeoutMs?: number;
}>;

export const createLeaseBook = (settings: LeaseBookSettings): LeaseBook =>
  new KeeperLeaseBook(settings);
