import type { LeaseReply } from '../../domain/account/messages.ts';
import type { LeaseId, TokenId, UserId } from '../../domain/shared/ids.ts';
import type { Reservation, ReserveResult } from './lease-book.ts';

export type Waiter = Readonly<{ need: number; answer: (result: ReserveResult) => void }>;
type Refusal = Extract<ReserveResult, { kind: 'refused' }>;

/** A reservation that knows its lease, so that settling needs no look-up. */
export class HeldReservation implements Reservation {
  readonly lease: Lease;
  reserved: number;
  isSettled = false;

  constructor(lease: Lease, reserved: number) {
    this.lease = lease;
    this.reserved = reserved;
  }

  get leaseId(): LeaseId {
    return this.lease.leaseId;
  }
  get userId(): UserId {
    return this.lease.userId;
  }
  get tokenId(): TokenId {
    return this.lease.tokenId;
  }
}

/** What this relay holds for one account and token; plain arithmetic, no clock and no network. */
export class Lease {
  readonly leaseId: LeaseId;
  readonly userId: UserId;
  readonly tokenId: TokenId;
  /** Granted in all, less what went back. */
  amount = 0;
  /** Settled, which may exceed the amount. */
  spent = 0;
  /** Held by requests in flight. */
  reserved = 0;
  inFlight = 0;
  isRequesting = false;
  lastGrant = 0;
  /** Tick of the book's clock at the last use. */
  usedAt = 0;
  /** No refill in advance before this time, milliseconds: the last one brought too little. */
  noRefillBefore = 0;
  /** Cached refusal of the keeper and its expiry, ms. */
  refusal: Refusal | null = null;
  refusedUntil = 0;
  waiters: Waiter[] = [];

  constructor(leaseId: LeaseId, userId: UserId, tokenId: TokenId) {
    this.leaseId = leaseId;
    this.userId = userId;
    this.tokenId = tokenId;
  }

  get free(): number {
    return this.amount - this.spent - this.reserved;
  }

  /** A quarter of the last grant is left: time to refill before it runs out. */
  get isLow(): boolean {
    return this.free * 4 < this.lastGrant;
  }

  take(need: number): HeldReservation {
    this.reserved += need;
    this.inFlight += 1;
    return new HeldReservation(this, need);
  }

  settle(reservation: HeldReservation, amount: number): void {
    this.reserved -= reservation.reserved;
    this.inFlight -= 1;
    this.spent += amount;
    reservation.reserved = 0;
    reservation.isSettled = true;
  }

  /** What a keeper that had forgotten the lease grants is all there is. */
  granted({ granted, fresh }: LeaseReply): void {
    this.amount = fresh ? this.spent + granted : this.amount + granted;
    if (granted > 0) this.lastGrant = granted;
  }

  /** What the next lease request has to bring for all waiters. */
  missing(): number {
    let need = 0;
    for (const waiter of this.waiters) need += waiter.need;
    return Math.max(0, need - this.free);
  }

  /** First come, first served: stops at the first waiter that does not fit. */
  admitInOrder(): void {
    while (this.waiters.length > 0) {
      const [next] = this.waiters;
      if (next === undefined || next.need > this.free) return;
      this.waiters.shift();
      next.answer({ kind: 'reserved', reservation: this.take(next.need) });
    }
  }

  refuseAll(refusal: Refusal): void {
    for (const { answer } of this.waiters.splice(0)) answer(refusal);
  }

  /** The keeper has no more: of the first `count` waiters, those that fit are served. */
  admitOrRefuse(count: number, refusal: Refusal): void {
    const asked = this.waiters.splice(0, count);
    for (const { need, answer } of asked) {
      if (need <= this.free) answer({ kind: 'reserved', reservation: this.take(need) });
      else answer(refusal);
    }
  }
}
