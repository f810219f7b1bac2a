import { accept, type Decision, reject } from '../shared/decider.ts';
import { isQuotaUnits } from '../shared/quota.ts';
import type { AccountRejection, ExpireLease, LeaseQuota, ReturnLease } from './commands.ts';
import type { AccountEvent } from './events.ts';
import { type AccountState, availableBalance, availableOfToken, outstanding } from './state.ts';

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

export const leaseQuota = ({ data }: LeaseQuota, state: AccountState): Answer => {
  const { userId, tokenId, leaseId, relayId, need, ask } = data;
  if (!state.opened) return reject('account.not-open');
  if (!isQuotaUnits(need)) return reject('account.invalid-amount');
  const held = state.leases.get(leaseId);
  if (held !== undefined && ask <= held.ask) return accept();
  const balanceLeft = availableBalance(state);
  if (balanceLeft <= 0) return reject('account.balance-exhausted');
  const tokenLeft = availableOfToken(state, tokenId);
  if (tokenLeft !== null && tokenLeft <= 0) return reject('account.token-exhausted');
  const bound = tokenLeft === null ? balanceLeft : Math.min(balanceLeft, tokenLeft);
  const overrun = overrunOf(state, leaseId);
  const wanted = Math.max(1, need - overrun, fairShare(bound));
  const amount = Math.min(bound, wanted) + overrun;
  return accept({
    type: 'QuotaLeased',
    data: { userId, tokenId, leaseId, relayId, amount, ask },
  });
};

export const returnLease = ({ data }: ReturnLease, state: AccountState): Answer => {
  const held = state.leases.get(data.leaseId);
  if (held === undefined) return accept();
  const reported = isQuotaUnits(data.unspent) ? data.unspent : 0;
  const unspent = Math.min(reported, outstanding(held));
  const { userId, leaseId } = data;
  return accept({ type: 'LeaseReturned', data: { userId, leaseId, unspent } });
};

export const expireLease = ({ data }: ExpireLease, state: AccountState): Answer => {
  const held = state.leases.get(data.leaseId);
  if (held === undefined) return accept();
  const { userId, leaseId } = data;
  return accept({ type: 'LeaseExpired', data: { userId, leaseId, unspent: outstanding(held) } });
};
