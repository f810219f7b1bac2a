import { describe, expect, test } from 'vitest';
import {
  aCall,
  anAccountCommand,
  anAccountOpened,
  aProducer,
  aQuotaGranted,
  aQuotaLeased,
  aTokenBudgetSet,
  aUsedRecord,
  leaseId,
  relayId,
  tokenId,
  userId,
} from '../../tests/support/account-examples.ts';
import { deciderSpec } from '../../tests/support/decider-spec.ts';
import type { AccountCommand } from './commands.ts';
import { accountDecider, decideAccount } from './decider.ts';
import type { AccountEvent } from './events.ts';
import { createAccountState } from './state.ts';

const given = deciderSpec(accountDecider);
const funded = (balance: number): AccountEvent[] => [anAccountOpened, aQuotaGranted(balance)];
const max = Number.MAX_SAFE_INTEGER;

const grant = (amount: number) =>
  anAccountCommand('GrantQuota', { userId, amount, source: 'topup', reference: 'trade-1' });
/** The reason of an adjustment has a separate shape, which these rules do not check. */
const adjust = (delta: number) =>
  anAccountCommand('AdjustQuota', { userId, delta, seen: null, reason: 'r' as never });
const correct = (delta: number, reference?: string) =>
  anAccountCommand('PostCorrection', {
    userId,
    delta,
    corrects: ['req-1'],
    charged: { left: Number.MAX_SAFE_INTEGER, unknown: [] },
    reason: 'r',
    ...(reference === undefined ? {} : { reference }),
  });
const reward = (amount: number) =>
  anAccountCommand('RewardReferral', { userId, amount, inviteeId: 8 });
const transfer = (amount: number) => anAccountCommand('TransferReferralReward', { userId, amount });
const budget = (remain: number, unlimited = false) =>
  anAccountCommand('SetTokenBudget', { userId, tokenId, unlimited, remain });
const lease = (need: number, ask = 1) =>
  anAccountCommand('LeaseQuota', { userId, tokenId, relayId, leaseId, need, ask });
const refund = (amount: number, charge = { amount: 30, refunded: 0, tokenId }) =>
  anAccountCommand('RefundRequest', { userId, requestId: 'req-1', amount, reason: 'r', charge });

describe('an account', () => {
  const open = anAccountCommand('OpenAccount', { userId });
  test('is opened once', () => {
    given().when(open).thenEvents(anAccountOpened);
    given(anAccountOpened).when(open).thenNothing();
  });
  test.each<[AccountCommand]>([[adjust(1)], [correct(1)], [reward(1)], [transfer(1)], [lease(1)]])(
    'that is not open refuses $type',
    (command) => given().when(command).thenRejected('account.not-open'),
  );
});

describe('amounts that are none are refused', () => {
  test.each<[AccountCommand]>([
    [adjust(0.5)],
    [correct(Number.NaN)],
    [reward(-1)],
    [transfer(0)],
    [transfer(-1)],
    [transfer(0.5)],
    [budget(-1)],
    [budget(0.5)],
    [lease(-1)],
    [refund(0)],
    [refund(-1)],
    [refund(0.5)],
  ])('%o', (command) =>
    given(...funded(1_000))
      .when(command)
      .thenRejected('account.invalid-amount'),
  );
});

describe('nothing is moved', () => {
  test.each<[AccountCommand]>([[grant(0)], [adjust(0)], [correct(0)], [reward(0)]])(
    'by 0 units: $type',
    (command) =>
      given(...funded(1_000))
        .when(command)
        .thenNothing(),
  );
});

describe('numbers stay exact', () => {
  const state = { ...createAccountState(), opened: true, balance: max - 10, used: 5 };
  const codeOf = (command: AccountCommand, from = state) => {
    const decision = decideAccount(command, from);
    return decision.kind === 'rejected' ? decision.code : 'accepted';
  };
  test.each([
    ['granting', grant(5), grant(6)],
    ['adjusting', adjust(5), adjust(6)],
    ['correcting', correct(5), correct(6)],
  ])('balance and use together, %s', (_name, fits, exceeds) => {
    expect(codeOf(fits)).toBe('accepted');
    expect(codeOf(exceeds)).toBe('account.overflow');
  });
  test('a balance alone, below 0 too', () => {
    const owing = { ...state, balance: -max, used: 100 };
    expect(codeOf(adjust(-1), owing)).toBe('account.overflow');
    expect(codeOf(adjust(1), owing)).toBe('accepted');
  });
  test('rewards', () => {
    const rich = { ...state, balance: 0, rewards: max - 1 };
    expect(codeOf(reward(1), rich)).toBe('accepted');
    expect(codeOf(reward(2), rich)).toBe('account.overflow');
  });
  test('rewards that are transferred, and refunds', () => {
    expect(codeOf(transfer(6), { ...state, rewards: 6 })).toBe('account.overflow');
    expect(codeOf(refund(11), { ...state, used: 0 })).toBe('account.overflow');
    expect(codeOf(refund(10), { ...state, used: 0 })).toBe('accepted');
  });
});

describe('events contain the requested values', () => {
  test('a grant names its payment, and no other does', () => {
    const data = { userId, amount: 5, source: 'topup', reference: 'trade-1' } as const;
    const payment = { paid: { amountMinor: 1, currency: 'CNY' } } as never;
    const state = { ...createAccountState(), opened: true };
    expect(
      decideAccount(anAccountCommand('GrantQuota', { ...data, payment }), state),
    ).toStrictEqual({
      kind: 'accepted',
      events: [{ type: 'QuotaGranted', data: { ...data, payment, balanceAfter: 5 } }],
    });
    expect(decideAccount(anAccountCommand('GrantQuota', data), state)).toStrictEqual({
      kind: 'accepted',
      events: [{ type: 'QuotaGranted', data: { ...data, balanceAfter: 5 } }],
    });
  });
  test('a correction gives back at most what is left of the charges that it names', () => {
    const asked = (delta: number, charged?: { left: number; unknown: string[] }) =>
      anAccountCommand('PostCorrection', {
        userId,
        delta,
        corrects: ['req-1', 'req-2'],
        reason: 'r',
        ...(charged && { charged }),
      });
    const account = given(...funded(1_000));
    account
      .when(asked(31, { left: 30, unknown: [] }))
      .thenRejected('account.correction-exceeds-charge', { delta: 31, left: 30 });
    account.when(asked(30, { left: 30, unknown: [] })).thenState({ balance: 1_030 });
    account.when(asked(-31, { left: 30, unknown: [] })).thenState({ balance: 969 });
    account
      .when(asked(-1, { left: 30, unknown: ['req-2'] }))
      .thenRejected('account.not-charged', { id: 'req-2' });
    account.when(asked(1)).thenRejected('account.not-charged', { id: 'req-1, req-2' });
  });
  test('a correction names what it corrects, with its reference where it has one', () => {
    const data = { userId, delta: -30, corrects: ['req-1'], reason: 'r', balanceAfter: 970 };
    const state = { ...createAccountState(), opened: true, balance: 1_000 };
    const events = (reference?: string) => decideAccount(correct(-30, reference), state);
    expect(events()).toStrictEqual({
      kind: 'accepted',
      events: [{ type: 'CorrectionPosted', data }],
    });
    expect(events('case-1')).toStrictEqual({
      kind: 'accepted',
      events: [{ type: 'CorrectionPosted', data: { ...data, reference: 'case-1' } }],
    });
  });
  test('a reward', () =>
    given(anAccountOpened)
      .when(reward(100))
      .thenEvents({ type: 'ReferralRewarded', data: { userId, amount: 100, inviteeId: 8 } }));
});

describe('a budget', () => {
  test('is set once', () => {
    given(...funded(10))
      .when(budget(500))
      .thenEvents(aTokenBudgetSet(500));
    given(...funded(10), aTokenBudgetSet(500))
      .when(budget(500))
      .thenNothing();
  });
  test.each([
    [501, false],
    [500, true],
  ])('of %s units, unlimited %s, is another one', (remain, unlimited) =>
    given(...funded(10), aTokenBudgetSet(500))
      .when(budget(remain, unlimited))
      .thenEvents(aTokenBudgetSet(remain, unlimited)),
  );
  test('is closed where there is one', () => {
    const close = anAccountCommand('CloseTokenBudget', { userId, tokenId });
    given(...funded(10), aTokenBudgetSet())
      .when(close)
      .thenEvents({ type: 'TokenBudgetClosed', data: { userId, tokenId } });
    given(...funded(10))
      .when(close)
      .thenNothing();
  });
});

describe('a lease', () => {
  test('takes the very last unit of a balance', () =>
    given(...funded(1), aTokenBudgetSet(50))
      .when(lease(1))
      .thenEvents(aQuotaLeased(1)));
  test('takes the very last unit of a token', () =>
    given(...funded(1_000), aTokenBudgetSet(1))
      .when(lease(1))
      .thenEvents(aQuotaLeased(1)));
  test('is at least one unit, where nothing is needed and the share is none', () =>
    given(...funded(10), aTokenBudgetSet(50))
      .when(lease(0))
      .thenEvents(aQuotaLeased(1)));
  test.each([-1, 0.5, Number.NaN])(
    'that is returned with %s units gives nothing back',
    (unspent) => {
      const rest = { userId, leaseId, usageNumber: { producerId: 1, number: 1 }, closes: false };
      given(...funded(1_000), aTokenBudgetSet(), aQuotaLeased(100))
        .when(anAccountCommand('ReturnLease', { ...rest, relayId, unspent }))
        .thenEvents({ type: 'LeaseReturned', data: { ...rest, unspent: 0 } });
    },
  );
});

describe('a request that is abandoned', () => {
  const data = { userId, requestId: 'req-9', relayId, tokenId, leaseId, reserved: 50 };
  const abandon = anAccountCommand('AbandonRequest', data);
  const event: AccountEvent = { type: 'RequestAbandoned', data };
  const charged = (): AccountEvent => {
    const { kind: _kind, relayId: _relay, ...rest } = aUsedRecord({ amount: 5, sequence: 1 });
    return { type: 'RequestCharged', data: { ...rest, call: aCall(), amount: 5, balanceAfter: 0 } };
  };
  test('is searched first, and then closed', () => {
    given(...funded(100), charged())
      .when(abandon)
      .thenRejected('account.outcome-uncertain');
    given(...funded(100), charged())
      .when(anAccountCommand('AbandonRequest', { ...data, confirmedNew: true }))
      .thenEvents(event);
  });
  test('of a closed producer is searched like others', () => {
    const ended: AccountEvent = {
      type: 'ProducerClosed',
      data: { userId, relayId, producerId: 1, last: 0 },
    };
    given(...funded(100), ...aProducer, ended)
      .when(anAccountCommand('AbandonRequest', { ...data, producerId: 1 }))
      .thenRejected('account.outcome-uncertain');
  });
});
