import { accept, type Decision, reject } from '../shared/decider.ts';
import type { LeaseId, RelayId } from '../shared/ids.ts';
import { isQuotaUnits } from '../shared/quota.ts';
import type {
  AccountRejection,
  CloseProducer,
  ExpireLease,
  LeaseQuota,
  ReturnLease,
} from './commands.ts';
import type { AccountEvent } from './events.ts';
import {
  type AccountState,
  availableBalance,
  availableOfToken,
  leaseNumberOf,
  outstanding,
  producerOf,
  standingOf,
} from './state.ts';

type Answer = Decision<AccountEvent, AccountRejection>;

/** A lease takes at most this part of what is left, beyond the need: the last units go exactly. */
const shareDivisor = 16;
/** No lease grows by more than this beyond the need; 2,500,000 units are 5 USD by default. */
const largestShare = 2_500_000;

/** What relays may hold in advance, shrinking as the balance does. */
export const fairShare = (available: number): number =>
  Math.min(largestShare, Math.floor(Math.max(0, available) / shareDivisor));

/**
 * A lease that cost more than it held is first brought back to 0, which takes nothing out of the
 * balance: the charges took it already.
 */
const overrunOf = (state: AccountState, leaseId: string): number => {
  const held = state.leases.get(leaseId);
  return held === undefined || held.spent <= held.amount ? 0 : held.spent - held.amount;
};

const isClosed = (
  state: AccountState,
  { relayId, leaseId }: Readonly<{ relayId: RelayId; leaseId: LeaseId }>,
): boolean => {
  const producer = state.producers.get(producerOf(state, relayId) ?? 0);
  return producer !== undefined && leaseNumberOf(leaseId) <= producer.closedLease;
};

export const leaseQuota = ({ data }: LeaseQuota, state: AccountState): Answer => {
  const { userId, tokenId, leaseId, relayId, need, ask } = data;
  if (!state.opened) return reject('account.not-open');
  if (!isQuotaUnits(need)) return reject('account.invalid-amount');
  const held = state.leases.get(leaseId);
  if (held !== undefined && ask <= held.ask) return accept();
  if (held === undefined && isClosed(state, data)) return reject('account.lease-closed');
  const balanceLeft = availableBalance(state);
  if (balanceLeft <= 0) return reject('account.balance-exhausted');
  const tokenLeft = availableOfToken(state, tokenId);
  if (tokenLeft !== null && tokenLeft <= 0) return reject('account.token-exhausted');
  const bound = tokenLeft === null ? balanceLeft : Math.min(balanceLeft, tokenLeft);
  const overrun = overrunOf(state, leaseId);
  const wanted = Math.max(1, need - overrun, fairShare(bound));
  const amount = Math.min(bound, wanted) + overrun;
  const producerId = producerOf(state, relayId) ?? state.nextProducerId;
  return accept({
    type: 'QuotaLeased',
    data: { userId, tokenId, leaseId, relayId, amount, ask, producerId },
  });
};

/** What a relay reports and the lease holds; a lease that closes gives back all of it. */
const unspentOf = ({ data }: ReturnLease, state: AccountState): number => {
  const held = state.leases.get(data.leaseId);
  if (held === undefined) return 0;
  if (data.closes) return outstanding(held);
  return Math.min(isQuotaUnits(data.unspent) ? data.unspent : 0, outstanding(held));
};

export const returnLease = (command: ReturnLease, state: AccountState): Answer => {
  const { userId, relayId, leaseId, usageNumber, closes } = command.data;
  const standing = standingOf(state, relayId, usageNumber);
  if (standing === 'settled') return accept();
  if (standing === 'ahead') return reject('account.usage-gap');
  const isNext = standing === 'next';
  // A number is settled by an event, even where the lease has expired meanwhile.
  if (!isNext && !state.leases.has(leaseId)) return accept();
  const unspent = unspentOf(command, state);
  return accept({
    type: 'LeaseReturned',
    data: { userId, leaseId, unspent, ...(isNext && { usageNumber }), closes },
  });
};

/**
 * After all its numbers: the leases close, and any later record of the relay instance is a repeat.
 */
export const closeProducer = ({ data }: CloseProducer, state: AccountState): Answer => {
  const { userId, relayId, producerId, last, damaged } = data;
  const producer = state.producers.get(producerId);
  if (producer === undefined || producer.relayId !== relayId) return accept();
  if (producer.settledThrough < last) return reject('account.usage-gap');
  const returned = [...state.leases]
    .filter(([, lease]) => lease.relayId === relayId)
    .map(([leaseId, lease]): AccountEvent => {
      const unspent = outstanding(lease);
      return { type: 'LeaseReturned', data: { userId, leaseId, unspent, closes: true } };
    });
  return accept(...returned, {
    type: 'ProducerClosed',
    data: { userId, relayId, producerId, last, ...(damaged === undefined ? {} : { damaged }) },
  });
};

export const expireLease = ({ data }: ExpireLease, state: AccountState): Answer => {
  const held = state.leases.get(data.leaseId);
  if (held === undefined) return accept();
  const { userId, leaseId } = data;
  return accept({ type: 'LeaseExpired', data: { userId, leaseId, unspent: outstanding(held) } });
};
