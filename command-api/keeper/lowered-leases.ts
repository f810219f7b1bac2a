import type { AccountEvent } from '../../domain/account/events.ts';
import type { LoweredLease } from '../../domain/account/messages.ts';
import type { AccountState } from '../../domain/account/state.ts';
import type { AccountQueues } from './account-queues.ts';
import { readState } from './command-batch.ts';
import type { LeaseWatch } from './lease-watch.ts';
import type { LeaseRecalls } from './recall.ts';

const lowering: ReadonlySet<string> = new Set<AccountEvent['type']>([
  'QuotaAdjusted',
  'CorrectionPosted',
  'TokenBudgetSet',
  'TokenBudgetClosed',
]);

/** Leases of the account may hold more than there is after it; the state shows which. */
export const mayLower = ({ type }: AccountEvent): boolean => lowering.has(type);

/** Leases on which no request may be admitted any more, and that are not closed yet. */
export const loweredLeases = ({ leases }: AccountState): readonly LoweredLease[] =>
  [...leases].flatMap(([leaseId, { loweredAt }]) =>
    loweredAt === undefined ? [] : [{ leaseId, loweredAt }],
  );

const loweredWork = readState(loweredLeases);

type Settings = Readonly<{ queues: AccountQueues; watch: LeaseWatch; recalls: LeaseRecalls }>;

/** Recalls lowered leases again: a relay whose connection broke, or a keeper that ended, loses a message. */
export const createLoweringRepeats = ({ queues, watch, recalls }: Settings) => {
  return async (): Promise<void> => {
    for (const userId of watch.lowered()) {
      const { value: lowered } = await queues.do(userId, loweredWork);
      recalls.lowered(userId, lowered);
    }
  };
};
