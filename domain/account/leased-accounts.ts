import type { Event } from '../shared/event.ts';
import type { UserId } from '../shared/ids.ts';

/**
 * The accounts of one partition that may hold leases, each with the time of the note in
 * milliseconds. Written to `leasedAccounts-<partition>` (`$maxCount` 1) before a lease is granted.
 */
export type LeasedAccountsNoted = Event<
  'LeasedAccountsNoted',
  { partition: number; accounts: readonly (readonly [UserId, number])[] }
>;

export const leasedAccountsStreamId = (partition: number): string => `leasedAccounts-${partition}`;
