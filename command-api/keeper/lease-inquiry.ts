import type { LeaseInquiry } from '../../domain/account/messages.ts';
import { producerOf } from '../../domain/account/state.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { AccountQueues } from './account-queues.ts';
import { readState } from './command-batch.ts';
import type { LeaseWatch } from './lease-watch.ts';

type Settings = Readonly<{
  bus: Bus;
  queues: AccountQueues;
  watch: LeaseWatch;
  /** Milliseconds without an event of the account. */
  quietAfterMs: number;
}>;

const leasesWork = readState<LeaseInquiry['leases']>((state) =>
  [...state.leases].flatMap(([leaseId, { relayId }]) => {
    const producerId = producerOf(state, relayId);
    return producerId === null ? [] : [{ leaseId, relayId, producerId }];
  }),
);

/**
 * Queries running relays about leases which none of their requests has used for long. The owner of
 * a partition may not track a lease that another keeper granted in its place.
 */
export const createLeaseInquiry = (settings: Settings) => {
  const { bus, queues, watch, quietAfterMs } = settings;
  return async (): Promise<void> => {
    for (const userId of watch.quietFor(quietAfterMs)) {
      const { value: leases } = await queues.do(userId, leasesWork);
      if (leases.length > 0) bus.publish<LeaseInquiry>('lease.inquiry', { userId, leases });
    }
  };
};
