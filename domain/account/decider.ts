import { accept, type Decider, type Decision, reject } from '../shared/decider.ts';
import { isQuotaDelta, isQuotaUnits } from '../shared/quota.ts';
import type {
  AccountCommand,
  AccountRejection,
  AdjustQuota,
  CloseTokenBudget,
  GrantQuota,
  PostCorrection,
  RewardReferral,
  SetTokenBudget,
  TransferReferralReward,
} from './commands.ts';
import { evolveAccount } from './decider-evolve.ts';
import { closeProducer, expireLease, leaseQuota, returnLease } from './decider-leases.ts';
import {
  abandonRequest,
  chargeRequest,
  refundRequest,
  skipUsageNumber,
} from './decider-requests.ts';
import type { AccountEvent } from './events.ts';
import { type AccountState, createAccountState } from './state.ts';

type Answer = Decision<AccountEvent, AccountRejection>;

/** Balance and used together never leave the range in which numbers count exactly. */
const overflows = (state: AccountState, delta: number): boolean =>
  !Number.isSafeInteger(state.balance + delta) ||
  !Number.isSafeInteger(state.balance + delta + state.used);

const grant = ({ data }: GrantQuota, state: AccountState): Answer => {
  const { userId, amount, source, reference, payment } = data;
  if (!state.opened) return reject('account.not-open');
  if (!isQuotaUnits(amount)) return reject('account.invalid-amount');
  if (amount === 0) return accept();
  if (overflows(state, amount)) return reject('account.overflow');
  const balanceAfter = state.balance + amount;
  return accept({
    type: 'QuotaGranted',
    data: { userId, amount, source, reference, ...(payment && { payment }), balanceAfter },
  });
};

const checkDelta = (state: AccountState, delta: number): Answer | null => {
  if (!state.opened) return reject('account.not-open');
  if (!isQuotaDelta(delta)) return reject('account.invalid-amount');
  if (delta === 0) return accept();
  return overflows(state, delta) ? reject('account.overflow') : null;
};

const adjust = ({ data }: AdjustQuota, state: AccountState): Answer => {
  const answer = checkDelta(state, data.delta);
  if (answer !== null) return answer;
  const { userId, delta, seen, reason } = data;
  const balanceAfter = state.balance + delta;
  return accept({ type: 'QuotaAdjusted', data: { userId, delta, seen, reason, balanceAfter } });
};

/** Gives back at most what is left of the charges that it names; charging more has no such bound. */
const correct = ({ data }: PostCorrection, state: AccountState): Answer => {
  const answer = checkDelta(state, data.delta);
  if (answer !== null) return answer;
  const { userId, delta, corrects, reason, reference, charged } = data;
  const unknown = charged?.unknown ?? corrects;
  if (charged === undefined || corrects.length === 0 || unknown.length > 0) {
    return reject('account.not-charged', { id: unknown.join(', ') });
  }
  if (delta > charged.left) {
    return reject('account.correction-exceeds-charge', { delta, left: charged.left });
  }
  const balanceAfter = state.balance + delta;
  const why = reference === undefined ? { reason } : { reason, reference };
  return accept({
    type: 'CorrectionPosted',
    data: { userId, delta, corrects, ...why, balanceAfter },
  });
};

const setBudget = ({ data }: SetTokenBudget, state: AccountState): Answer => {
  const { userId, tokenId, unlimited, remain } = data;
  if (!isQuotaUnits(remain)) return reject('account.invalid-amount');
  const known = state.budgets.get(tokenId);
  if (known?.unlimited === unlimited && known.remain === remain) return accept();
  return accept({ type: 'TokenBudgetSet', data: { userId, tokenId, unlimited, remain } });
};

const closeBudget = ({ data }: CloseTokenBudget, state: AccountState): Answer =>
  state.budgets.has(data.tokenId)
    ? accept({
        type: 'TokenBudgetClosed',
        data: { userId: data.userId, tokenId: data.tokenId },
      })
    : accept();

const reward = ({ data }: RewardReferral, state: AccountState): Answer => {
  const { userId, amount, inviteeId } = data;
  if (!state.opened) return reject('account.not-open');
  if (!isQuotaUnits(amount)) return reject('account.invalid-amount');
  if (amount === 0) return accept();
  if (!Number.isSafeInteger(state.rewards + amount)) return reject('account.overflow');
  return accept({ type: 'ReferralRewarded', data: { userId, amount, inviteeId } });
};

const transferReward = ({ data }: TransferReferralReward, state: AccountState): Answer => {
  const { userId, amount } = data;
  if (!state.opened) return reject('account.not-open');
  if (!isQuotaUnits(amount) || amount === 0) return reject('account.invalid-amount');
  if (amount > state.rewards) return reject('account.reward-exhausted', { left: state.rewards });
  if (overflows(state, amount)) return reject('account.overflow');
  const balanceAfter = state.balance + amount;
  return accept({ type: 'ReferralRewardTransferred', data: { userId, amount, balanceAfter } });
};

export const decideAccount = (command: AccountCommand, state: AccountState): Answer => {
  switch (command.type) {
    case 'OpenAccount':
      return state.opened
        ? accept()
        : accept({ type: 'AccountOpened', data: { userId: command.data.userId } });
    case 'GrantQuota':
      return grant(command, state);
    case 'AdjustQuota':
      return adjust(command, state);
    case 'SetTokenBudget':
      return setBudget(command, state);
    case 'CloseTokenBudget':
      return closeBudget(command, state);
    case 'LeaseQuota':
      return leaseQuota(command, state);
    case 'ReturnLease':
      return returnLease(command, state);
    case 'ExpireLease':
      return expireLease(command, state);
    case 'ChargeRequest':
      return chargeRequest(command, state);
    case 'AbandonRequest':
      return abandonRequest(command);
    case 'SkipUsageNumber':
      return skipUsageNumber(command, state);
    case 'CloseProducer':
      return closeProducer(command, state);
    case 'RefundRequest':
      return refundRequest(command, state);
    case 'RewardReferral':
      return reward(command, state);
    case 'TransferReferralReward':
      return transferReward(command, state);
    case 'PostCorrection':
      return correct(command, state);
  }
};

export const accountDecider: Decider<AccountCommand, AccountEvent, AccountState, AccountRejection> =
  { initialState: createAccountState(), decide: decideAccount, evolve: evolveAccount };
