import type { QuotaLeased } from '../../domain/account/events.ts';
import type { LeaseId, TokenId } from '../../domain/shared/ids.ts';

type Lease = { relayId: string; tokenId: TokenId; amount: number; spent: number; eventId: string };
export type OpenLease = Readonly<{ leaseId: LeaseId; relayId: string; eventId: string }>;

const unspentOf = ({ amount, spent }: Lease): number => Math.max(0, amount - spent);

/** The leases of one account, and what they hold of its balance and of its tokens' budgets. */
export class OpenLeases {
  readonly #leases = new Map<LeaseId, Lease>();

  /** Held by all leases together, or by those of one token. Few are open at a time. */
  reserved(tokenId?: TokenId): number {
    let sum = 0;
    for (const lease of this.#leases.values()) {
      if (tokenId === undefined || lease.tokenId === tokenId) sum += unspentOf(lease);
    }
    return sum;
  }

  isOpen(leaseId: LeaseId): boolean {
    return this.#leases.has(leaseId);
  }

  unspent(leaseId: LeaseId): number {
    const lease = this.#leases.get(leaseId);
    return lease === undefined ? 0 : unspentOf(lease);
  }

  /** What the charges took beyond the lease; the next grant evens it out first. */
  overrun(leaseId: LeaseId): number {
    const lease = this.#leases.get(leaseId);
    return lease === undefined ? 0 : Math.max(0, lease.spent - lease.amount);
  }

  grant({ leaseId, relayId, tokenId, amount }: QuotaLeased['data'], eventId: string): void {
    const lease = this.#leases.get(leaseId);
    if (lease === undefined) {
      this.#leases.set(leaseId, { relayId, tokenId, amount, spent: 0, eventId });
      return;
    }
    lease.amount += amount;
    lease.eventId = eventId;
  }

  spend(leaseId: LeaseId, amount: number): void {
    const lease = this.#leases.get(leaseId);
    if (lease !== undefined) lease.spent += amount;
  }

  /** True when it is closed now. */
  takeBack(
    leaseId: LeaseId,
    { unspent, closes }: Readonly<{ unspent: number; closes: boolean }>,
  ): boolean {
    const lease = this.#leases.get(leaseId);
    if (lease === undefined) return false;
    lease.amount -= unspent;
    return closes && this.#leases.delete(leaseId);
  }

  open(): OpenLease[] {
    return [...this.#leases].map(([leaseId, { relayId, eventId }]) => ({
      leaseId,
      relayId,
      eventId,
    }));
  }
}
