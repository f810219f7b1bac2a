import type { LeaseRecall } from '../../domain/account/messages.ts';
import type { HeldLeases } from './held-leases.ts';
import type { Lease } from './lease-book-lease.ts';

/** Others can use what is idle of it. */
const giveBackIdle = (leases: HeldLeases, lease: Lease): void => {
  if (lease.waiters.length > 0) return;
  if (!lease.isRequesting) leases.retire(lease);
  if (!lease.isClosed) leases.giveBackFree(lease);
};

/**
 * What no request holds is returned at once, and what requests hold when they have ended. Where
 * quota was taken away, the keeper decides waiting requests again: `replace` moves those that have
 * not begun to another lease; running ones stay on the one that they are charged to.
 */
export const recallLeases = (
  leases: HeldLeases,
  { userId, lowered }: LeaseRecall,
  replace: (lease: Lease) => void,
): void => {
  for (const lease of leases.of(userId)) {
    if (lowered === undefined) {
      giveBackIdle(leases, lease);
      continue;
    }
    const named = lowered.find(({ leaseId }) => leaseId === lease.leaseId);
    if (named === undefined || named.loweredAt <= lease.loweredAt) continue;
    lease.loweredAt = named.loweredAt;
    replace(lease);
    if (!lease.isClosed) leases.giveBackFree(lease);
  }
};
