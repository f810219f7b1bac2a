import { defineEvents, type EventsOf } from '../shared/catalogue.ts';
import { userId } from '../shared/ids.ts';
import { list, pair, whole } from '../shared/shape.ts';

export const leasedAccountsEvents = {
  /**
   * The accounts of one partition that may have leases, each with the time of the note in
   * milliseconds. Written to `leasedAccounts-<partition>` (`$maxCount` 1) before a lease is granted.
   */
  LeasedAccountsNoted: defineEvents(
    'leasedAccounts',
    null,
  )({
    partition: whole,
    accounts: list(pair(userId, whole)),
  }),
};
export type LeasedAccountsNoted = EventsOf<typeof leasedAccountsEvents>['LeasedAccountsNoted'];

export const leasedAccountsStreamId = (partition: number): string => `leasedAccounts-${partition}`;
