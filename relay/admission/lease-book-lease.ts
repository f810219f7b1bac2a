import type { LeaseReply } from '../../domain/account/messages.ts';
import type { LeaseId, ProducerId, RelayId, TokenId, UserId } from '../../domain/shared/ids.ts';
import { accountPartitions } from '../../domain/shared/partitions.ts';
import type { Reservation, ReserveResult } from './lease-book.ts';

export type Waiter = Readonly<{
  need: number;
  /** Served with all that is free, from so much on, where the need is not covered. */
  least: number;
  answer: (result: ReserveResult) => void;
  /** The request is over, or its caller has left, and with it the need. */
  isGone: () => boolean;
  /** More for a request that runs on this lease and is charged to it. */
  isForRunning: boolean;
}>;
export type Refusal = Extract<ReserveResult, { kind: 'refused' }>;

type CachedRefusal = Readonly<{ refusal: Refusal; minNeed: number; until: number }>;

/** How long a refusal of the keeper is cached: a top-up takes effect within this. */
const negativeCacheMs = 100;
/** After a refill that brought little, the account is nearly empty: no more refills in advance. */
const refillPauseMs = 1_000;

/** A reservation that holds its lease, so that settling needs no look-up. */
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
  get producerId(): ProducerId | null {
    return this.lease.producerId;
  }
  get userId(): UserId {
    return this.lease.userId;
  }
  get tokenId(): TokenId {
    return this.lease.tokenId;
  }
}

const unneeded: Refusal = {
  kind: 'refused',
  refusal: 'balance-exhausted',
  balance: 0,
  tokenRemain: null,
};

/** What this relay holds for one account and token; plain arithmetic, no clock and no network. */
export class Lease {
  readonly leaseId: LeaseId;
  readonly userId: UserId;
  readonly tokenId: TokenId;
  /** Its number among the leases of this relay instance. */
  readonly number: number;
  /** As the keeper calls this relay instance in the account; null before the first grant. */
  producerId: ProducerId | null = null;
  /** Not used again: what its requests have not spent goes back when the last of them ends. */
  isRetired = false;
  /** That it goes back was recorded. */
  isClosed = false;
  /** The keeper has lost what it granted: what it grants under this id now is another lease to it. */
  isForgotten = false;
  /** Granted in all, less what went back. */
  amount = 0;
  /** Settled, which may exceed the amount. */
  spent = 0;
  /** Held by requests in flight. */
  reserved = 0;
  inFlight = 0;
  isRequesting = false;
  /** Revision of the newest lowering that this relay has received; 0: none. */
  loweredAt = 0;
  /** Quota was taken away after the lease request was sent: what it brings is not to be used. */
  isRequestOutdated = false;
  lastGrant = 0;
  /** Tick of the book's clock at the last use. */
  usedAt = 0;
  /** No refill in advance before this monotonic time: the last one brought too little. */
  noRefillBefore = 0;
  #refused: CachedRefusal | null = null;
  waiters: Waiter[] = [];

  constructor(
    relayId: RelayId,
    { userId, tokenId, number }: Readonly<{ userId: UserId; tokenId: TokenId; number: number }>,
  ) {
    this.leaseId = `${relayId}.${userId}.${tokenId}.${number}`;
    this.userId = userId;
    this.tokenId = tokenId;
    this.number = number;
  }

  get partition(): number {
    return this.userId % accountPartitions;
  }

  /** Neither a request in flight nor one that waits needs it. */
  get isIdle(): boolean {
    return this.inFlight === 0 && !this.isRequesting && this.waiters.length === 0;
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

  /** A keeper that holds none by its id has given its quota to others. */
  get wasGranted(): boolean {
    return this.lastGrant > 0;
  }

  granted({ granted, producerId }: LeaseReply): void {
    this.amount += granted;
    this.producerId = producerId ?? this.producerId;
    if (granted > 0) this.lastGrant = granted;
  }

  /** Takes everything out that no request holds, and answers how much it is. */
  giveBackFree(): number {
    const unspent = Math.max(0, this.free);
    this.amount -= unspent;
    return unspent;
  }

  pauseRefills(nowMs: number): void {
    this.noRefillBefore = nowMs + refillPauseMs;
  }

  /** What the next lease request has to bring for all waiters. */
  missing(): number {
    let need = 0;
    for (const waiter of this.waiters) if (!waiter.isGone()) need += waiter.need;
    return Math.max(0, need - this.free);
  }

  /** First come, first served: stops at the first waiter that does not fit. */
  admitInOrder(): void {
    while (this.waiters.length > 0) {
      const [next] = this.waiters;
      if (next === undefined || (next.need > this.free && !next.isGone())) return;
      this.waiters.shift();
      if (next.isGone()) next.answer(unneeded);
      else next.answer({ kind: 'reserved', reservation: this.take(next.need) });
    }
  }

  /** Removes the requests that have not begun; running ones stay and request more again. */
  takeWaitersToBegin(): Waiter[] {
    const all = this.waiters;
    this.waiters = all.filter(({ isForRunning }) => isForRunning);
    this.isRequestOutdated = this.isRequesting;
    return all.filter(({ isForRunning }) => !isForRunning);
  }

  refuseAll(refusal: Refusal): void {
    for (const { answer } of this.waiters.splice(0)) answer(refusal);
  }

  /**
   * The keeper has no more: of the first `count` waiters, those that fit are served. The refusal holds for a
   * moment after `nowMs`, for requests that need as much as those that do not fit.
   */
  admitOrRefuse(count: number, refusal: Refusal, nowMs: number): void {
    const asked = this.waiters.splice(0, count);
    let minNeed = Number.POSITIVE_INFINITY;
    for (const waiter of asked) {
      const { need, least, answer } = waiter;
      if (waiter.isGone()) {
        answer(unneeded);
      } else if (need <= this.free) {
        answer({ kind: 'reserved', reservation: this.take(need) });
      } else if (this.free > 0 && least <= this.free) {
        answer({ kind: 'reserved', reservation: this.take(this.free) });
      } else {
        minNeed = Math.min(minNeed, least);
        answer(refusal);
      }
    }
    this.#refused = { refusal, minNeed, until: nowMs + negativeCacheMs };
  }

  /** The keeper's newest refusal, where it holds for this need. */
  refusalFor(need: number, nowMs: number): Refusal | null {
    const refused = this.#refused;
    if (refused === null || nowMs >= refused.until || need < refused.minNeed) return null;
    return refused.refusal;
  }

  forgetRefusal(): void {
    this.#refused = null;
  }
}

/** @throws Error for a reservation of another book. */
export const held = (reservation: Reservation): HeldReservation => {
  if (reservation instanceof HeldReservation) return reservation;
  throw new Error('this reservation is not of this book');
};
