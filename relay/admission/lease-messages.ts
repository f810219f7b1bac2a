import type { LeaseInquiry, LeaseRecall, LeasesRenewed } from '../../domain/account/messages.ts';
import type { RelayId } from '../../domain/shared/ids.ts';
import type { Bus, Stop } from '../../infra/ports/bus.ts';

type Handlers = Readonly<{
  renewed: (renewed: LeasesRenewed) => void;
  recalled: (recall: LeaseRecall) => void;
  inquired: (inquiry: LeaseInquiry) => void;
}>;

/** What keepers publish to all relays about their leases. */
export const listenToKeepers = async (
  bus: Bus,
  relayId: RelayId,
  { renewed, recalled, inquired }: Handlers,
): Promise<Stop[]> => [
  await bus.subscribe<LeasesRenewed>('lease.renewed', (message) => {
    if (message.relayId === relayId) renewed(message);
  }),
  await bus.subscribe<LeaseRecall>('lease.recall', recalled),
  await bus.subscribe<LeaseInquiry>('lease.inquiry', inquired),
];
