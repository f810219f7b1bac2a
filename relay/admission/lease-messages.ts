import type {
  LeaseInquiry,
  LeaseRecall,
  LeaseRecalled,
  LeasesRenewed,
} from '../../domain/account/messages.ts';
import type { RelayId, UserId } from '../../domain/shared/ids.ts';
import type { Bus, Stop } from '../../infra/ports/bus.ts';

type Handlers = Readonly<{
  renewed: (renewed: LeasesRenewed) => void;
  recalled: (recall: LeaseRecall) => void;
  inquired: (inquiry: LeaseInquiry) => void;
  /** The last number that this relay recorded for the account; 0: none that is not settled. */
  unsettledNumber: (userId: UserId) => number;
}>;

/** What keepers publish to all relays about their leases. */
export const listenToKeepers = async (
  bus: Bus,
  relayId: RelayId,
  { renewed, recalled, inquired, unsettledNumber }: Handlers,
): Promise<Stop[]> => [
  await bus.subscribe<LeasesRenewed>('lease.renewed', (message) => {
    if (message.relayId === relayId) renewed(message);
  }),
  await bus.subscribe<LeaseRecall>('lease.recall', (recall) => {
    recalled(recall);
    const { userId, lowered } = recall;
    if (lowered !== undefined) return;
    const recorded = unsettledNumber(userId);
    bus.publish<LeaseRecalled>('lease.recalled', { relayId, userId, recorded });
  }),
  await bus.subscribe<LeaseInquiry>('lease.inquiry', inquired),
];
