import type { LeaseId, ProducerId, RelayId, TokenId } from '../shared/ids.ts';
import type {
  AccountEvent,
  LeaseReturned,
  QuotaLeased,
  RequestCharged,
  RequestRefunded,
  TokenBudgetSet,
} from './events.ts';
import {
  type AccountState,
  type BudgetState,
  cloneAccountState,
  type LeaseState,
  leaseNumberOf,
  outstanding,
  producerOf,
} from './state.ts';
import type { UsageNumber } from './usage-number.ts';

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

const noteClosed = (state: AccountState, producerId: ProducerId | null, leaseId: LeaseId): void => {
  const producer = producerId === null ? undefined : state.producers.get(producerId);
  const number = leaseNumberOf(leaseId);
  if (producer !== undefined && number > producer.closedLease) producer.closedLease = number;
};

const closeLease = (state: AccountState, leaseId: LeaseId): void => {
  const lease = state.leases.get(leaseId);
  if (lease === undefined) return;
  changeReserved(state, lease.tokenId, -outstanding(lease));
  state.leases.delete(leaseId);
  noteClosed(state, producerOf(state, lease.relayId), leaseId);
};

const openProducer = (state: AccountState, producerId: ProducerId, relayId: RelayId): void => {
  if (producerId < state.nextProducerId) return;
  state.producers.set(producerId, {
    relayId,
    settledThrough: 0,
    since: state.eventCount,
    closedLease: 0,
  });
  state.nextProducerId = producerId + 1;
};

const settleNumber = (state: AccountState, usageNumber: UsageNumber | undefined): void => {
  if (usageNumber === undefined) return;
  const producer = state.producers.get(usageNumber.producerId);
  if (producer !== undefined) producer.settledThrough = usageNumber.number;
};

const lease = (state: AccountState, { data }: QuotaLeased): void => {
  const { leaseId, relayId, tokenId, amount, ask, producerId } = data;
  openProducer(state, producerId, relayId);
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

const takeBack = (state: AccountState, { data }: LeaseReturned): void => {
  const { leaseId, unspent, closes, usageNumber } = data;
  settleNumber(state, usageNumber);
  // Also of a lease whose request arrives after its end.
  if (closes && usageNumber) noteClosed(state, usageNumber.producerId, leaseId);
  const held = state.leases.get(leaseId);
  if (held === undefined) return;
  changeLease(state, held, { amount: -unspent });
  if (closes) closeLease(state, leaseId);
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
  settleNumber(state, data.usageNumber);
  if (data.isUnplaced === true) state.unplaced.add(call.relayId);
};

const refund = (state: AccountState, { data: { amount, tokenId } }: RequestRefunded): void => {
  state.balance += amount;
  state.used -= amount;
  const budget = state.budgets.get(tokenId);
  if (budget === undefined) return;
  budget.remain += amount;
  budget.used -= amount;
};

/** Of one token, or of all: what their leases were granted from is less now. */
const lowerLeases = (state: AccountState, tokenId: TokenId | null): void => {
  for (const held of state.leases.values()) {
    if (tokenId === null || held.tokenId === tokenId) held.loweredAt = state.eventCount;
  }
};

const move = (state: AccountState, delta: number): void => {
  state.balance += delta;
  if (delta < 0) lowerLeases(state, null);
};

const isLowered = (
  before: BudgetState | undefined,
  { unlimited, remain }: TokenBudgetSet['data'],
): boolean => !unlimited && (before === undefined || before.unlimited || remain < before.remain);

const setBudget = (state: AccountState, { data }: TokenBudgetSet): void => {
  const { tokenId, unlimited, remain } = data;
  const before = state.budgets.get(tokenId);
  if (isLowered(before, data)) lowerLeases(state, tokenId);
  state.budgets.set(tokenId, { unlimited, remain, used: before?.used ?? 0 });
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
      move(state, event.data.delta);
      return;
    case 'QuotaLeased':
      lease(state, event);
      return;
    case 'LeaseReturned':
      takeBack(state, event);
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
      return;
    case 'UsageNumberSkipped':
      settleNumber(state, event.data.usageNumber);
      return;
    case 'ProducerClosed':
      state.producers.delete(event.data.producerId);
      state.unplaced.delete(event.data.relayId);
      return;
    case 'TokenBudgetSet':
      setBudget(state, event);
      return;
    case 'TokenBudgetClosed':
      state.budgets.delete(event.data.tokenId);
      lowerLeases(state, event.data.tokenId);
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
