import type { LeaseInquiry } from '../../domain/account/messages.ts';
import type { LeaseId, ProducerId, RelayId, TokenId, UserId } from '../../domain/shared/ids.ts';
import type { LeaseJournal } from './lease-book.ts';
import type { Lease } from './lease-book-lease.ts';

/** Token numbers are unique over all users; the playground has one lease for each user. */
const keyOf = (userId: UserId, tokenId: TokenId): number => (tokenId > 0 ? tokenId : -userId);

/** The leases of a relay: one in use for each token, and retired ones until their end is recorded. */
export class HeldLeases {
  readonly #inUse = new Map<number, Lease>();
  readonly #retired = new Map<LeaseId, Lease>();
  readonly #journal: LeaseJournal;

  constructor(journal: LeaseJournal) {
    this.#journal = journal;
  }

  get size(): number {
    return this.#inUse.size;
  }

  get(userId: UserId, tokenId: TokenId): Lease | null {
    const lease = this.#inUse.get(keyOf(userId, tokenId));
    return lease?.userId === userId ? lease : null;
  }

  /** Those in use, oldest first. */
  all(): readonly Lease[] {
    return [...this.#inUse.values()];
  }

  /** Retired ones too. */
  of(userId: UserId): readonly Lease[] {
    const all = [...this.#inUse.values(), ...this.#retired.values()];
    return all.filter((lease) => lease.userId === userId);
  }

  /** null: each is needed. */
  oldestIdle(except: Lease): Lease | null {
    for (const lease of this.#inUse.values()) {
      if (lease !== except && lease.isIdle) return lease;
    }
    return null;
  }

  add(lease: Lease): void {
    this.#inUse.set(keyOf(lease.userId, lease.tokenId), lease);
  }

  /** Not used again; it goes back when the last of its requests ends. */
  retire(lease: Lease): void {
    lease.isRetired = true;
    const key = keyOf(lease.userId, lease.tokenId);
    if (this.#inUse.get(key) === lease) this.#inUse.delete(key);
    this.#retired.set(lease.leaseId, lease);
    this.#close(lease);
  }

  /** A request of it ended, or a lease request for it: of a retired lease, what is free now goes back. */
  eased(lease: Lease): void {
    if (!lease.isRetired) return;
    if (lease.inFlight > 0) this.giveBackFree(lease);
    else this.#close(lease);
  }

  /** What no request holds. */
  giveBackFree(lease: Lease): void {
    const { producerId } = lease;
    if (producerId !== null && lease.free > 0) this.#giveBack(lease, producerId, false);
  }

  #has(userId: UserId, leaseId: LeaseId): boolean {
    return this.of(userId).some((lease) => lease.leaseId === leaseId);
  }

  /** Ends those leases that the keeper lists for this relay and that it does not hold. */
  endUnknown({ userId, leases }: LeaseInquiry, relayId: RelayId): void {
    for (const { leaseId, relayId: holder, producerId } of leases) {
      if (holder !== relayId || this.#has(userId, leaseId)) continue;
      this.#journal.leaseIdle({ userId, leaseId, producerId, unspent: 0, closes: true });
    }
  }

  #close(lease: Lease): void {
    if (lease.inFlight > 0 || lease.isRequesting || lease.isClosed) return;
    lease.isClosed = true;
    this.#retired.delete(lease.leaseId);
    if (lease.producerId !== null) this.#giveBack(lease, lease.producerId, true);
  }

  #giveBack(lease: Lease, producerId: ProducerId, closes: boolean): void {
    const { leaseId, userId } = lease;
    const unspent = lease.giveBackFree();
    this.#journal.leaseIdle({ userId, leaseId, producerId, unspent, closes });
  }
}
