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
import { deciderSpec, fold } from '../../tests/support/decider-spec.ts';
import { accountDecider } from './decider.ts';
import { fairShare } from './decider-leases.ts';
import type { AccountEvent } from './events.ts';
import { openSnapshot, takeSnapshot } from './snapshot.ts';
import { availableBalance } from './state.ts';

const given = deciderSpec(accountDecider);
const funded = (balance: number): AccountEvent[] => [anAccountOpened, aQuotaGranted(balance)];
const withToken = (balance: number, remain = 1_000_000): AccountEvent[] => [
  ...funded(balance),
  aTokenBudgetSet(remain),
];

const lease = (need: number, ask = 1) =>
  anAccountCommand('LeaseQuota', { userId, tokenId, relayId, leaseId, need, ask });
const giveBack = (unspent: number, closes: boolean) =>
  anAccountCommand('ReturnLease', {
    userId,
    relayId,
    leaseId,
    unspent,
    usageNumber: { producerId: 1, number: 2 },
    closes,
  });
const charge = (amount: number, sequence = 1, requestId = `req-${sequence}`) => {
  const { kind: _kind, relayId: _relay, ...data } = aUsedRecord({ amount, sequence });
  return anAccountCommand('ChargeRequest', { ...data, call: aCall({ requestId }) });
};
const charged = (amount: number, sequence = 1, requestId = `req-${sequence}`): AccountEvent => {
  const { kind: _kind, relayId: _relay, ...data } = aUsedRecord({ amount, sequence });
  const call = aCall({ requestId });
  return { type: 'RequestCharged', data: { ...data, call, amount, balanceAfter: 0 } };
};

describe('leasing', () => {
  test('a relay gets a fair share beyond its need', () =>
    given(...withToken(160_000))
      .when(lease(10))
      .thenEvents(aQuotaLeased(10_000)));

  test('a need above the share is granted exactly', () =>
    given(...withToken(160_000))
      .when(lease(50_000))
      .thenEvents(aQuotaLeased(50_000)));

  test('the last units are granted exactly', () =>
    given(...withToken(9))
      .when(lease(50))
      .thenEvents(aQuotaLeased(9)));

  test('a share never passes its cap', () => {
    expect(fairShare(10 ** 12)).toBe(2_500_000);
    expect(fairShare(-5)).toBe(0);
  });

  test('a lease takes what others hold off the table', () =>
    given(...withToken(100), aQuotaLeased(100, 1))
      .when(lease(1, 2))
      .thenRejected('account.balance-exhausted'));

  test('a token spends no more than its own budget', () => {
    given(...withToken(100_000, 40))
      .when(lease(50))
      .thenEvents(aQuotaLeased(40));
    given(...withToken(100_000, 40), aQuotaLeased(40, 1))
      .when(lease(1, 2))
      .thenRejected('account.token-exhausted');
  });

  test('a token without a budget spends nothing', () =>
    given(...funded(100))
      .when(lease(1))
      .thenRejected('account.token-exhausted'));

  test('the playground needs no budget', () =>
    given(...funded(1_600))
      .when(
        anAccountCommand('LeaseQuota', {
          userId,
          tokenId: 0,
          relayId,
          leaseId: 'relay-a.7.0',
          need: 5,
          ask: 1,
        }),
      )
      .thenEvents({
        type: 'QuotaLeased',
        data: {
          userId,
          tokenId: 0,
          leaseId: 'relay-a.7.0',
          relayId,
          amount: 100,
          ask: 1,
          producerId: 1,
        },
      }));

  test('a lease request that is repeated after a lost answer is granted once', () =>
    given(...withToken(1_000), aQuotaLeased(100, 4))
      .when(lease(100, 4))
      .thenNothing());

  test('a lease that cost more than it held is brought back to 0 without taking quota twice', () => {
    const history = [...withToken(1_000), aQuotaLeased(100, 1), charged(150)];
    given(...history)
      .when(lease(80, 2))
      .thenEvents(aQuotaLeased(50 + 53, 2));
    const state = fold(accountDecider, [...history, aQuotaLeased(103, 2)]);
    expect(availableBalance(state)).toBe(850 - 53);
  });

  test('a returned lease frees what is unspent', () =>
    given(...withToken(1_000), aQuotaLeased(100), charged(30))
      .when(giveBack(70, true))
      .thenState({ balance: 970, reserved: 0, leases: new Map() }));

  test('a grant that was on its way when quota went back stays reserved', () => {
    const history = [...withToken(1_000), aQuotaLeased(100, 1), charged(30), aQuotaLeased(40, 2)];
    given(...history)
      .when(giveBack(70, false))
      .thenState({ reserved: 40 });
  });

  test('an expired lease frees what is unspent, and closing it again changes nothing', () => {
    const expire = anAccountCommand('ExpireLease', { userId, leaseId });
    const expired: AccountEvent = {
      type: 'LeaseExpired',
      data: { userId, leaseId, unspent: 70 },
    };
    given(...withToken(1_000), aQuotaLeased(100), charged(30))
      .when(expire)
      .thenEvents(expired);
    given(...withToken(1_000), aQuotaLeased(100), charged(30), expired)
      .when(expire)
      .thenNothing();
  });
});

describe('charging', () => {
  test('a charge lowers balance, lease and token budget by the price of usage and quote', () =>
    given(...withToken(1_000, 400), aQuotaLeased(100))
      .when(charge(30))
      .thenState({
        balance: 970,
        used: 30,
        requestCount: 1,
        reserved: 70,
        budgets: new Map([[tokenId, { unlimited: false, remain: 370, used: 30 }]]),
      }));

  test('the same record again is not charged again', () =>
    given(...withToken(1_000), aQuotaLeased(100), charged(30))
      .when(charge(30))
      .thenNothing());

  test('a charge after the lease expired falls on the account', () =>
    given(...withToken(1_000), ...aProducer)
      .when(charge(30))
      .thenState({ balance: 970, reserved: 0 }));

  test('a delivered service is charged below zero if need be', () =>
    given(...withToken(10), aQuotaLeased(10))
      .when(charge(25))
      .thenState({ balance: -15, reserved: 0 }));

  test('a record without a producer is charged only when it was searched', () => {
    const history = withToken(1_000);
    given(...history)
      .when(charge(20, 3))
      .thenRejected('account.outcome-uncertain');
    const confirmed = charge(20, 3);
    given(...history)
      .when({ ...confirmed, data: { ...confirmed.data, confirmedNew: true } })
      .thenState({ balance: 980 });
  });

  test('an abandoned request whose record is late is still charged', () =>
    given(...withToken(1_000), ...aProducer, {
      type: 'RequestAbandoned',
      data: { userId, requestId: 'req-1', relayId, tokenId, leaseId, reserved: 50 },
    })
      .when(charge(30))
      .thenState({ balance: 970 }));
});

describe('refunding', () => {
  const refund = (amount: number, refunded = 0) =>
    anAccountCommand('RefundRequest', {
      userId,
      requestId: 'req-1',
      amount,
      reason: 'task failed',
      charge: { amount: 30, refunded, tokenId },
    });
  const history = [...withToken(1_000, 400), charged(30)];

  test('a refund gives back balance, use and token budget', () =>
    given(...history)
      .when(refund(30))
      .thenState({
        balance: 1_000,
        used: 0,
        budgets: new Map([[tokenId, { unlimited: false, remain: 400, used: 0 }]]),
      }));

  test('no more is refunded than was charged', () => {
    given(...history)
      .when(refund(31))
      .thenRejected('account.refund-exceeds-charge', { left: 30 });
    given(...history)
      .when(refund(11, 20))
      .thenRejected('account.refund-exceeds-charge', { left: 10 });
  });

  test('a request that was never charged is not refunded', () => {
    const { charge: _charge, ...data } = refund(1).data;
    given(...history)
      .when(anAccountCommand('RefundRequest', data))
      .thenRejected('account.not-charged');
  });
});

test('a snapshot opens to the state that it was taken from', () => {
  const state = fold(accountDecider, [
    ...withToken(1_000, 400),
    aQuotaLeased(100),
    charged(30),
    charged(10, 2),
  ]);
  const commands = { traces: [], forgottenUntil: null };
  const stored = JSON.parse(JSON.stringify(takeSnapshot(userId, state, commands)));
  expect(openSnapshot(stored)).toEqual(state);
  expect(openSnapshot({ ...stored, version: 0 })).toBeNull();
});

test('evolve leaves the state that it was given as it was', () => {
  const before = fold(accountDecider, [...withToken(1_000), aQuotaLeased(100)]);
  const copy = structuredClone(before);
  accountDecider.evolve(before, charged(30));
  expect(before).toEqual(copy);
});
