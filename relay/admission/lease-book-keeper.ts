import type { LeaseReply, LeaseRequest, RelayAlive } from '../../domain/account/messages.ts';
import type { TokenId, UserId } from '../../domain/shared/ids.ts';
import type { Counter, Gauge } from '../../infra/ports/metrics.ts';
import type { Timer, Timers } from '../../infra/ports/timers.ts';
import type { LeaseBook, LeaseBookSettings, Reservation, ReserveResult } from './lease-book.ts';
import { HeldReservation, Lease } from './lease-book-lease.ts';

type Refusal = Extract<ReserveResult, { kind: 'refused' }>;

/** How long a refusal of the keeper is cached: a top-up takes effect within this. */
const negativeCacheMs = 100;
/** After a refill that brought little, the account is nearly empty: no more refills in advance. */
const refillPauseMs = 1_000;
/** Time for returned leases to reach the keeper. */
const recallMs = 150;
const firstRetryMs = 100;
const maxRetryMs = 1_000;
/** Lease requests in a row for the same waiters; costs beyond their reservations may use up a grant. */
const maxRounds = 4;
/** Leases in memory; idle ones go back before more are held. */
const maxLeases = 20_000;

const unavailable: Refusal = {
  kind: 'refused',
  refusal: 'keeper-unavailable',
  balance: 0,
  tokenRemain: null,
};

const refusalOf = ({ refusal, balance, tokenRemain }: LeaseReply): Refusal => {
  const isTokenShort = tokenRemain !== null && tokenRemain < balance;
  const reason = refusal ?? (isTokenShort ? 'token-exhausted' : 'balance-exhausted');
  return { kind: 'refused', refusal: reason, balance, tokenRemain };
};

const isShortOf = ({ refusal, granted }: LeaseReply, need: number): boolean =>
  refusal !== null || granted < need;

/** Token numbers are unique over all users; the playground has one lease for each user. */
const keyOf = (userId: UserId, tokenId: TokenId): number => (tokenId > 0 ? tokenId : -userId);

/** Leases from the account keeper, spent in memory. */
export class KeeperLeaseBook implements LeaseBook {
  readonly #settings: LeaseBookSettings;
  readonly #timers: Timers;
  readonly #leases = new Map<number, Lease>();
  readonly #askTimeoutMs: number;
  readonly #heartbeatMs: number;
  readonly #idleTicks: number;
  readonly #open: Gauge;
  readonly #requests: Counter;
  #tick = 0;
  /** Rises over all leases: one that went back and came again never repeats a number. */
  #lastRequest = 0;
  #timer: Timer | null = null;
  #isStopped = false;
  #wake = new Set<() => void>();
  #pending = new Set<Promise<void>>();

  constructor(settings: LeaseBookSettings) {
    this.#settings = settings;
    this.#timers = settings.timers;
    this.#askTimeoutMs = settings.askTimeoutMs ?? 2_000;
    this.#heartbeatMs = settings.heartbeatMs ?? 5_000;
    this.#idleTicks = Math.max(1, Math.ceil((settings.idleMs ?? 60_000) / this.#heartbeatMs));
    this.#open = settings.metrics.gauge({
      name: 'tollgate_relay_leases',
      help: 'Leases that this relay holds',
    });
    this.#requests = settings.metrics.counter({
      name: 'tollgate_relay_lease_asks_total',
      help: 'Asks of this relay for quota',
      labels: ['outcome'],
    });
  }

  async start(): Promise<void> {
    this.#heartbeat();
    this.#timer = this.#timers.setInterval(() => this.#heartbeat(), this.#heartbeatMs).unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timers.clear(this.#timer);
    for (const wake of this.#wake) wake();
    // An answer on its way may bring quota; each lease request ends within its time limit.
    await Promise.allSettled(this.#pending);
    for (const lease of [...this.#leases.values()]) if (lease.inFlight === 0) this.#giveBack(lease);
  }

  tryReserve(userId: UserId, tokenId: TokenId, need: number): Reservation | null {
    const lease = this.#leases.get(keyOf(userId, tokenId));
    if (lease === undefined || lease.waiters.length > 0 || lease.free < need) return null;
    if (lease.amount <= lease.spent || lease.userId !== userId) return null;
    lease.usedAt = this.#tick;
    const reservation = lease.take(need);
    // Where grants are that small the account is nearly empty, and each request gets a lease request of its own.
    if (lease.isLow && lease.lastGrant > need * 4) this.#refill(lease);
    return reservation;
  }

  reserve(userId: UserId, tokenId: TokenId, need: number): Promise<ReserveResult> {
    const warm = this.tryReserve(userId, tokenId, need);
    if (warm !== null) return Promise.resolve({ kind: 'reserved', reservation: warm });
    if (this.#isStopped) return Promise.resolve(unavailable);
    const lease = this.#leaseOf(userId, tokenId);
    if (lease.refusal !== null && lease.refusedUntil > this.#now()) {
      return Promise.resolve(lease.refusal);
    }
    return new Promise((resolve) => {
      lease.waiters.push({ need, answer: resolve });
      if (!lease.isRequesting) this.#startRequest(lease);
    });
  }

  extend(reservation: Reservation, more: number): boolean {
    const { lease, isSettled } = held(reservation);
    if (isSettled || lease.free < more) {
      this.#refill(lease);
      return false;
    }
    lease.reserved += more;
    reservation.reserved += more;
    if (lease.isLow) this.#refill(lease);
    return true;
  }

  settle(reservation: Reservation, amount: number): void {
    const own = held(reservation);
    if (own.isSettled) {
      this.#settings.logger.error({ leaseId: own.leaseId }, 'a reservation was settled twice');
      return;
    }
    own.lease.settle(own, amount);
    own.lease.usedAt = this.#tick;
    if (own.lease.waiters.length > 0) own.lease.admitInOrder();
    if (this.#isStopped && own.lease.inFlight === 0) this.#giveBack(own.lease);
  }

  #now(): number {
    return this.#settings.clock().getTime();
  }

  #leaseOf(userId: UserId, tokenId: TokenId): Lease {
    const key = keyOf(userId, tokenId);
    const known = this.#leases.get(key);
    if (known !== undefined && known.userId === userId) return known;
    const leaseId = `${this.#settings.relayId}.${userId}.${tokenId}`;
    const lease = new Lease(leaseId, userId, tokenId);
    lease.usedAt = this.#tick;
    this.#leases.set(key, lease);
    if (this.#leases.size > maxLeases) this.#giveBackQuietest();
    return lease;
  }

  #refill(lease: Lease): void {
    if (lease.isRequesting || this.#isStopped || lease.noRefillBefore > this.#now()) return;
    this.#startRequest(lease);
  }

  #startRequest(lease: Lease): void {
    lease.isRequesting = true;
    // Sent after this turn of the loop, so that it covers all waiters that came within it.
    const pending = new Promise<void>((resolve) => this.#timers.setImmediate(resolve))
      .then(() => this.#requestUntilAnswered(lease))
      .finally(() => this.#pending.delete(pending));
    this.#pending.add(pending);
  }

  /** One lease request at a time for each lease, repeated until the keeper answers it. */
  async #requestUntilAnswered(lease: Lease): Promise<void> {
    let hasRecalled = false;
    let rounds = 0;
    do {
      rounds += 1;
      const count = lease.waiters.length;
      const need = lease.missing();
      const reply = await this.#request(lease, need);
      if (reply === null) break;
      lease.granted(reply);
      lease.usedAt = this.#tick;
      const isShort = isShortOf(reply, need) || rounds > maxRounds;
      if (isShort && count > 0 && !hasRecalled && this.#recall(lease)) {
        hasRecalled = true;
        await this.#pause(recallMs);
        continue;
      }
      this.#answer(lease, reply, isShort ? count : null);
    } while (lease.waiters.length > 0 && !this.#isStopped);
    lease.isRequesting = false;
    lease.refuseAll(unavailable);
    // Settled after the stop, or while the answer was on its way.
    if (this.#isStopped && lease.inFlight === 0) this.#giveBack(lease);
  }

  /** Quota that other tokens of the same account hold idle goes back, so that it can be leased. */
  #recall(wanting: Lease): boolean {
    let recalled = false;
    for (const lease of [...this.#leases.values()]) {
      if (lease === wanting || lease.userId !== wanting.userId || lease.free <= 0) continue;
      recalled = this.#giveBack(lease) || recalled;
    }
    return recalled;
  }

  /** null only when the book was stopped before an answer came. */
  async #request(lease: Lease, need: number): Promise<LeaseReply | null> {
    const { relayId, bus, logger } = this.#settings;
    const { userId, tokenId } = lease;
    this.#lastRequest += 1;
    const ask = this.#lastRequest;
    const body: LeaseRequest = { relayId, userId, tokenId, need, ask };
    let delayMs = firstRetryMs;
    for (;;) {
      try {
        const options = { timeoutMs: this.#askTimeoutMs };
        const reply = await bus.request<LeaseRequest, LeaseReply>('keeper.lease', body, options);
        this.#requests.inc(1, { outcome: reply.refusal ?? 'granted' });
        return reply;
      } catch (error) {
        this.#requests.inc(1, { outcome: 'unavailable' });
        logger.warn({ leaseId: lease.leaseId, error: String(error) }, 'the keeper does not answer');
        lease.refuseAll(unavailable);
      }
      if (this.#isStopped) return null;
      await this.#pause(delayMs);
      delayMs = Math.min(delayMs * 2, maxRetryMs);
    }
  }

  /** `refused`: how many of the waiters the keeper could not fund in full; null: all are funded. */
  #answer(lease: Lease, reply: LeaseReply, refused: number | null): void {
    const now = this.#now();
    if (reply.refusal !== null) lease.noRefillBefore = now + refillPauseMs;
    if (refused === null) {
      lease.refusal = null;
      lease.admitInOrder();
      return;
    }
    const refusal = refusalOf(reply);
    lease.admitOrRefuse(refused, refusal);
    if (refused === 0) return;
    lease.refusal = refusal;
    lease.refusedUntil = now + negativeCacheMs;
    // A grant that fits no waiter goes back with the next heartbeat unless it is used.
    lease.usedAt = this.#tick - this.#idleTicks;
  }

  #heartbeat(): void {
    this.#tick += 1;
    const { bus, relayId } = this.#settings;
    bus.publish<RelayAlive>('relay.alive', { relayId });
    for (const lease of [...this.#leases.values()]) {
      if (this.#tick - lease.usedAt > this.#idleTicks) this.#giveBack(lease);
    }
    this.#open.set(this.#leases.size);
  }

  /** In the order of the journal: after everything that was spent of it. */
  #giveBack(lease: Lease): boolean {
    if (lease.inFlight > 0 || lease.isRequesting || lease.waiters.length > 0) return false;
    const { leaseId, userId, tokenId, amount, spent } = lease;
    const key = keyOf(userId, tokenId);
    if (this.#leases.get(key) !== lease) return false;
    this.#leases.delete(key);
    if (lease.lastGrant === 0) return false;
    const unspent = Math.max(0, amount - spent);
    this.#settings.journal.leaseIdle({ userId, leaseId, unspent });
    return true;
  }

  #giveBackQuietest(): void {
    for (const lease of this.#leases.values()) {
      const size = this.#leases.size;
      this.#giveBack(lease);
      if (this.#leases.size < size) return;
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#timers.clear(timer);
        this.#wake.delete(done);
        resolve();
      };
      const timer = this.#timers.setTimeout(done, ms);
      this.#wake.add(done);
    });
  }
}

const held = (reservation: Reservation): HeldReservation => {
  if (reservation instanceof HeldReservation) return reservation;
  throw new Error('this reservation is not of this book');
};
