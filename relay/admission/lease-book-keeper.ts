import type { LeaseReply, LeasesRenewed } from '../../domain/account/messages.ts';
import type { TokenId, UserId } from '../../domain/shared/ids.ts';
import type { Stop } from '../../infra/ports/bus.ts';
import type { Gauge } from '../../infra/ports/metrics.ts';
import type { Timer, Timers } from '../../infra/ports/timers.ts';
import { HeldLeases } from './held-leases.ts';
import { type Answer, isShortOf, LeaseAsker, refusalOf, unavailable } from './lease-asker.ts';
import type {
  LeaseBook,
  LeaseBookSettings,
  QuotaRequest,
  Reservation,
  ReserveResult,
} from './lease-book.ts';
import { held, Lease, type Waiter } from './lease-book-lease.ts';
import { listenToKeepers } from './lease-messages.ts';
import { defaultTermMs, heartbeatsPerTerm, LeaseTerms } from './lease-terms.ts';
import { recallLeases } from './recall-leases.ts';

/** Lease requests in a row for the same first waiter; costs beyond reservations may use up a grant. */
const maxRounds = 4;
/** Leases in memory; idle ones go back before more are held. */
const maxLeases = 20_000;

const stays = (): boolean => false;

/** For so many waiters; `isLast`: too little is a refusal now. */
type Asked = Readonly<{ need: number; count: number; isLast: boolean }>;

/** Leases from the account keeper, spent in memory. */
export class KeeperLeaseBook implements LeaseBook {
  readonly #settings: LeaseBookSettings;
  readonly #timers: Timers;
  readonly #terms: LeaseTerms;
  readonly #asker: LeaseAsker;
  readonly #leases: HeldLeases;
  readonly #heartbeatMs: number;
  readonly #idleTicks: number;
  readonly #open: Gauge;
  readonly #stops: Stop[] = [];
  #tick = 0;
  #lastLease = 0;
  #timer: Timer | null = null;
  #isStopped = false;
  #pending = new Set<Promise<void>>();

  constructor(settings: LeaseBookSettings) {
    const { termMs = defaultTermMs, idleMs = 60_000 } = settings;
    this.#settings = settings;
    this.#timers = settings.timers;
    this.#terms = new LeaseTerms(termMs);
    this.#asker = new LeaseAsker(settings);
    this.#leases = new HeldLeases(settings.journal);
    this.#heartbeatMs = settings.heartbeatMs ?? termMs / heartbeatsPerTerm;
    this.#idleTicks = Math.max(1, Math.ceil(idleMs / this.#heartbeatMs));
    this.#open = settings.metrics.gauge({
      name: 'tollgate_relay_leases',
      help: 'Leases that this relay holds',
    });
  }

  async start(): Promise<void> {
    const { bus, relayId, journal } = this.#settings;
    const stops = await listenToKeepers(bus, relayId, {
      renewed: (renewed) => this.#renewed(renewed),
      recalled: (recall) =>
        recallLeases(this.#leases, recall, (lease) => {
          this.#replace(lease, lease.takeWaitersToBegin());
        }),
      inquired: (inquiry) => this.#leases.endUnknown(inquiry, relayId),
      unsettledNumber: (userId) => journal.unsettledNumber(userId),
    });
    this.#stops.push(...stops);
    this.#heartbeat();
    this.#timer = this.#timers.setInterval(() => this.#heartbeat(), this.#heartbeatMs).unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timers.clear(this.#timer);
    this.#asker.stop();
    // An answer on its way may bring quota; each lease request ends within its time limit.
    await Promise.allSettled(this.#pending);
    for (const lease of this.#leases.all()) this.#leases.retire(lease);
    for (const stop of this.#stops.splice(0)) await stop();
  }

  tryReserve(userId: UserId, tokenId: TokenId, need: number): Reservation | null {
    const lease = this.#leases.get(userId, tokenId);
    if (lease === null || lease.waiters.length > 0 || lease.free < need) return null;
    if (lease.amount <= lease.spent) return null;
    if (!this.#terms.isCurrent(lease.partition, this.#timers.now())) return null;
    lease.usedAt = this.#tick;
    const reservation = lease.take(need);
    // Where grants are that small the account is nearly empty, and each request needs its own.
    if (lease.isLow && lease.lastGrant > need * 4) this.#refill(lease);
    return reservation;
  }

  reserveMore(reservation: Reservation, need: number): Promise<ReserveResult> {
    const own = held(reservation);
    const { userId, tokenId, lease } = own;
    const isGone = () => own.isSettled;
    if (this.#isStopped) return Promise.resolve(unavailable);
    if (lease.isForgotten || this.#isLapsed(lease)) {
      return this.reserve({ userId, tokenId, need }, isGone);
    }
    return this.#wait(lease, { need, least: need, isGone, isForRunning: true });
  }

  reserve(
    { userId, tokenId, need, least = need }: QuotaRequest,
    isGone: () => boolean = stays,
  ): Promise<ReserveResult> {
    const warm = this.tryReserve(userId, tokenId, need);
    if (warm !== null) return Promise.resolve({ kind: 'reserved', reservation: warm });
    if (this.#isStopped) return Promise.resolve(unavailable);
    return this.#wait(this.#leaseOf(userId, tokenId), { need, least, isGone, isForRunning: false });
  }

  #wait(lease: Lease, waiter: Omit<Waiter, 'answer'>): Promise<ReserveResult> {
    const refusal = lease.refusalFor(waiter.least, this.#timers.now());
    if (refusal !== null) return Promise.resolve(refusal);
    return new Promise((resolve) => {
      lease.waiters.push({ ...waiter, answer: resolve });
      if (!lease.isRequesting) this.#startRequest(lease);
    });
  }

  extend(reservation: Reservation, more: number): boolean {
    const { lease, isSettled } = held(reservation);
    const isCurrent = this.#terms.isCurrent(lease.partition, this.#timers.now());
    if (isSettled || lease.isRetired || !isCurrent || lease.free < more) {
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
    if (own.lease.waiters.length > 0) this.#admitInOrder(own.lease);
    this.#leases.eased(own.lease);
  }

  #leaseOf(userId: UserId, tokenId: TokenId): Lease {
    const known = this.#leases.get(userId, tokenId);
    if (known === null) return this.#add(userId, tokenId);
    if (!this.#isLapsed(known)) return known;
    this.#replaceLapsed(known);
    return this.#leases.get(userId, tokenId) ?? this.#add(userId, tokenId);
  }

  #add(userId: UserId, tokenId: TokenId): Lease {
    this.#lastLease += 1;
    const lease = new Lease(this.#settings.relayId, { userId, tokenId, number: this.#lastLease });
    lease.usedAt = this.#tick;
    this.#leases.add(lease);
    const idle = this.#leases.size > maxLeases ? this.#leases.oldestIdle(lease) : null;
    if (idle !== null) this.#leases.retire(idle);
    return lease;
  }

  #isLapsed(lease: Lease): boolean {
    return lease.wasGranted && this.#terms.hasLapsed(lease.partition, this.#timers.now());
  }

  #replaceLapsed(lease: Lease): void {
    this.#asker.lapsed(lease.userId);
    this.#replace(lease);
  }

  /** Another lease for those that wait; this one keeps what its requests have reserved. */
  #replace(lease: Lease, waiters = lease.waiters.splice(0)): void {
    if (!lease.isRetired) this.#leases.retire(lease);
    if (waiters.length === 0) return;
    const { userId, tokenId } = lease;
    const next = this.#leases.get(userId, tokenId) ?? this.#add(userId, tokenId);
    next.waiters.push(...waiters);
    if (!next.isRequesting) this.#startRequest(next);
  }

  #refill(lease: Lease): void {
    if (lease.isRequesting || lease.isRetired || this.#isStopped) return;
    if (lease.noRefillBefore > this.#timers.now() || this.#isLapsed(lease)) return;
    this.#startRequest(lease);
  }

  #startRequest(lease: Lease): void {
    lease.isRequesting = true;
    // Sent after this turn of the loop, so that it covers all waiters that arrived within it.
    const pending = new Promise<void>((resolve) => this.#timers.setImmediate(resolve))
      .then(() => this.#requestUntilAnswered(lease))
      .finally(() => this.#pending.delete(pending));
    this.#pending.add(pending);
  }

  /** One lease request at a time for each lease, repeated until the keeper answers it. */
  async #requestUntilAnswered(lease: Lease): Promise<void> {
    for (let rounds = 1, [first] = lease.waiters; ; rounds += 1) {
      if (lease.waiters[0] !== first) rounds = 1;
      [first] = lease.waiters;
      const need = lease.missing();
      const asked = { need, count: lease.waiters.length, isLast: rounds > maxRounds };
      const answer = await this.#asker.ask(lease, need, () => this.#isLapsed(lease));
      this.#take(lease, asked, answer);
      if (lease.waiters.length > 0 && answer !== 'stopped' && !this.#isStopped) continue;
      lease.isRequesting = false;
      lease.refuseAll(unavailable);
      this.#leases.eased(lease);
      return;
    }
  }

  #take(lease: Lease, { need, count, isLast }: Asked, answer: Answer): void {
    if (answer === 'stopped') return;
    if (answer === 'lapsed') {
      this.#replaceLapsed(lease);
      return;
    }
    const { reply, sentAtMs } = answer;
    const isForgotten = reply.refusal === 'lease-closed' || (reply.fresh && lease.wasGranted);
    lease.granted(reply);
    if (isForgotten) {
      // The keeper holds nothing by this id any more, though requests of it are not settled yet.
      lease.isForgotten = true;
      this.#replaceLapsed(lease);
      return;
    }
    this.#terms.renewed(lease.partition, sentAtMs);
    lease.usedAt = this.#tick;
    if (lease.isRequestOutdated) {
      lease.isRequestOutdated = false;
      if (lease.waiters.length > 0) this.#leases.giveBackFree(lease);
      return;
    }
    this.#answer(lease, reply, isShortOf(reply, need) || isLast ? count : null);
  }

  /** `refused`: how many of the waiters the keeper could not fund in full; null: all are funded. */
  #answer(lease: Lease, reply: LeaseReply, refused: number | null): void {
    const now = this.#timers.now();
    if (reply.refusal !== null) lease.pauseRefills(now);
    if (refused === null) lease.forgetRefusal();
    if (this.#terms.isCurrent(lease.partition, now)) {
      if (refused !== null) lease.admitOrRefuse(refused, refusalOf(reply), now);
      lease.admitInOrder();
    }
    if (refused === null || refused === 0) return;
    // A grant that fits no waiter goes back with the next heartbeat unless it is used.
    lease.usedAt = this.#tick - this.#idleTicks;
  }

  #admitInOrder(lease: Lease): void {
    if (this.#terms.isCurrent(lease.partition, this.#timers.now())) lease.admitInOrder();
  }

  #heartbeat(): void {
    this.#tick += 1;
    const { bus, relayId } = this.#settings;
    this.#terms.sent(this.#tick, this.#timers.now());
    bus.publish('relay.alive', { relayId, heartbeat: this.#tick });
    for (const lease of this.#leases.all()) {
      if (this.#tick - lease.usedAt > this.#idleTicks && lease.isIdle) this.#leases.retire(lease);
    }
    this.#open.set(this.#leases.size);
  }

  /** What lapsed before this answer arrived is not renewed by it. */
  #renewed({ heartbeat, partitions }: LeasesRenewed): void {
    const sentAt = this.#terms.sentAt(heartbeat);
    if (sentAt === null) return;
    const now = this.#timers.now();
    const lapsed = new Set(partitions.filter((each) => this.#terms.hasLapsed(each, now)));
    if (lapsed.size > 0) {
      for (const lease of this.#leases.all()) {
        if (lease.wasGranted && lapsed.has(lease.partition)) this.#replaceLapsed(lease);
      }
    }
    for (const partition of partitions) this.#terms.renewed(partition, sentAt);
  }
}
