import type { LeaseId, TokenId, UserId } from '../../domain/shared/ids.ts';
import type { Lease } from './lease-book-lease.ts';

/** Token numbers are unique over all users; the playground has one lease for each user. */
const keyOf = (userId: UserId, tokenId: TokenId): number => (tokenId > 0 ? tokenId : -userId);

/** The leases of a relay: one in use for each token, and retired ones until their end is recorded. */
export class HeldLeases {
  readonly #inUse = new Map<number, Lease>();
  readonly #retired = new Map<LeaseId, Lease>();

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

  of(userId: UserId): readonly Lease[] {
    return this.all().filter((lease) => lease.userId === userId);
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

  retire(lease: Lease): void {
    const key = keyOf(lease.userId, lease.tokenId);
    if (this.#inUse.get(key) === lease) this.#inUse.delete(key);
    this.#retired.set(lease.leaseId, lease);
  }

  /** Its end is recorded, or nothing was ever granted. */
  closed(lease: Lease): void {
    this.#retired.delete(lease.leaseId);
  }

  has(userId: UserId, leaseId: LeaseId): boolean {
    return this.#retired.has(leaseId) || this.of(userId).some((lease) => lease.leaseId === leaseId);
  }
}
