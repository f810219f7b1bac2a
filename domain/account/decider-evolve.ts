import type { LeaseId, RelayId, RequestId, TokenId } from '../shared/ids.ts';
import type { AccountEvent, QuotaLeased, RequestCharged, RequestRefunded } from './events.ts';
import {
  type AccountState,
  cloneAccountState,
  type LeaseState,
  type Outcome,
  outstanding,
  rememberedOutcomes,
  rememberedRelays,
} from './state.ts';

const changeReserved = (state: AccountState, tokenId: TokenId, delta: number): void => {
  if (delta === 0) return;
  state.reserved += delta;
  const ofToken = (state.reservedByToken.get(tokenId) ?? 0) + delta;
  if (ofToken === 0) state.reservedByToken.delete(tokenId);
  else state.reservedByToken.set(tokenId, ofToken);
};

const changeLease = (
  state: AccountState,
  lease: LeaseState,
  { amount = 0, spent = 0 }: Readonly<{ amount?: number; spent?: number }>,
): void => {
  const before = outstanding(lease);
  lease.amount += amount;
  lease.spent += spent;
  changeReserved(state, lease.tokenId, outstanding(lease) - before);
};

const closeLease = (state: AccountState, leaseId: LeaseId): void => {
  const lease = state.leases.get(leaseId);
  if (lease === undefined) return;
  changeReserved(state, lease.tokenId, -outstanding(lease));
  state.leases.delete(leaseId);
};

const forgetQuietestRelay = (state: AccountState): void => {
  let quietest: [RelayId, number] | null = null;
  for (const [relayId, { last }] of state.relays) {
    if (quietest === null || last < quietest[1]) quietest = [relayId, last];
  }
  if (quietest === null) return;
  state.relays.delete(quietest[0]);
  state.relaysForgotten = true;
};

const noteRelay = (state: AccountState, relayId: RelayId, sequence: number): void => {
  const trace = state.relays.get(relayId);
  if (trace !== undefined) {
    trace.last = state.eventCount;
    if (sequence > trace.sequence) trace.sequence = sequence;
    return;
  }
  if (state.relays.size >= rememberedRelays) forgetQuietestRelay(state);
  state.relays.set(relayId, { sequence, since: state.eventCount, last: state.eventCount });
};

const noteOutcome = (state: AccountState, requestId: RequestId, outcome: Outcome): void => {
  state.recent.set(requestId, outcome);
  if (state.recent.size < rememberedOutcomes) return;
  state.older = state.recent;
  state.recent = new Map();
};

const lease = (state: AccountState, { data }: QuotaLeased): void => {
  const { leaseId, relayId, tokenId, amount, ask } = data;
  noteRelay(state, relayId, 0);
  const held = state.leases.get(leaseId);
  if (held === undefined) {
    const opened = { relayId, tokenId, amount, spent: 0, firstAsk: ask, ask, lastGrant: amount };
    state.leases.set(leaseId, opened);
    changeReserved(state, tokenId, amount);
    return;
  }
  held.ask = ask;
  held.lastGrant = amount;
  changeLease(state, held, { amount });
};

/** A grant that had not reached the relay when it returned the lease keeps the lease open. */
const takeBack = (state: AccountState, leaseId: LeaseId, unspent: number): void => {
  const held = state.leases.get(leaseId);
  if (held === undefined) return;
  changeLease(state, held, { amount: -unspent });
  if (outstanding(held) === 0) closeLease(state, leaseId);
};

const charge = (state: AccountState, { data }: RequestCharged): void => {
  const { amount, call, leaseId } = data;
  state.balance -= amount;
  state.used += amount;
  state.requestCount += 1;
  const held = leaseId === null ? undefined : state.leases.get(leaseId);
  if (held !== undefined) changeLease(state, held, { spent: amount });
  const budget = state.budgets.get(call.tokenId);
  if (budget !== undefined) {
    budget.remain -= amount;
    budget.used += amount;
  }
  noteRelay(state, call.relayId, data.sequence);
  noteOutcome(state, call.requestId, 'charged');
};

const refund = (state: AccountState, { data: { amount, tokenId } }: RequestRefunded): void => {
  state.balance += amount;
  state.used -= amount;
  const budget = state.budgets.get(tokenId);
  if (budget === undefined) return;
  budget.remain += amount;
  budget.used -= amount;
};

const apply = (state: AccountState, event: AccountEvent): void => {
  switch (event.type) {
    case 'AccountOpened':
      state.opened = true;
      return;
    case 'QuotaGranted':
      state.balance += event.data.amount;
      return;
    case 'QuotaAdjusted':
    case 'CorrectionPosted':
      state.balance += event.data.delta;
      return;
    case 'QuotaLeased':
      lease(state, event);
      return;
    case 'LeaseReturned':
      takeBack(state, event.data.leaseId, event.data.unspent);
      return;
    case 'LeaseExpired':
      closeLease(state, event.data.leaseId);
      return;
    case 'RequestCharged':
      charge(state, event);
      return;
    case 'RequestRefunded':
      refund(state, event);
      return;
    case 'RequestAbandoned':
      noteRelay(state, event.data.relayId, 0);
      noteOutcome(state, event.data.requestId, 'abandoned');
      return;
    case 'TokenBudgetSet': {
      const { tokenId, unlimited, remain } = event.data;
      const used = state.budgets.get(tokenId)?.used ?? 0;
      state.budgets.set(tokenId, { unlimited, remain, used });
      return;
    }
    case 'TokenBudgetClosed':
      state.budgets.delete(event.data.tokenId);
      return;
    case 'ReferralRewarded':
      state.rewards += event.data.amount;
      return;
    case 'ReferralRewardTransferred':
      state.rewards -= event.data.amount;
      state.balance += event.data.amount;
      return;
  }
};

/** Folds one event into the state in place; for the keeper, who owns its states. */
export const applyAccountEvent = (state: AccountState, event: AccountEvent): void => {
  apply(state, event);
  state.eventCount += 1;
};

export const evolveAccount = (state: AccountState, event: AccountEvent): AccountState => {
  const next = cloneAccountState(state);
  applyAccountEvent(next, event);
  return next;
};
