import { describe, expect, test } from 'vitest';
import {
  aCall,
  anAccountOpened,
  aQuotaGranted,
  aQuotaLeased,
  aTokenBudgetSet,
  aUsedRecord,
  leaseId,
  relayId,
  tokenId,
  userId,
} from '../../tests/support/account-examples.ts';
import { fold } from '../../tests/support/decider-spec.ts';
import { accountDecider } from './decider.ts';
import type { AccountEvent, LeaseReturned } from './events.ts';
import { openSnapshot, takeSnapshot } from './snapshot.ts';
import {
  type AccountState,
  availableOfToken,
  createAccountState,
  producerOf,
  standingOf,
} from './state.ts';

type Charged = Readonly<{ sequence?: number; relayId?: string; requestId?: string }>;
const charged = (amount: number, facts: Charged = {}): AccountEvent => {
  const { sequence = 1, relayId: relay = relayId, requestId = `req-${sequence}` } = facts;
  const { kind: _kind, relayId: _relay, ...data } = aUsedRecord({ amount, sequence });
  const call = aCall({ requestId, relayId: relay });
  return { type: 'RequestCharged', data: { ...data, call, amount, balanceAfter: 0 } };
};
const unplaced: AccountEvent = {
  ...charged(20),
  data: { ...charged(20).data, isUnplaced: true },
} as AccountEvent;
const abandoned = (relay = relayId, requestId = 'req-9'): AccountEvent => ({
  type: 'RequestAbandoned',
  data: { userId, requestId, relayId: relay, tokenId, leaseId, reserved: 50 },
});
const folded = (...events: readonly AccountEvent[]): AccountState => fold(accountDecider, events);
const opened = [anAccountOpened, aQuotaGranted(1_000), aTokenBudgetSet(400)] as const;
const returned = (unspent: number): LeaseReturned => ({
  type: 'LeaseReturned',
  data: { userId, leaseId, unspent, closes: true },
});
const expired: AccountEvent = { type: 'LeaseExpired', data: { userId, leaseId, unspent: 0 } };

test('an account begins with nothing', () =>
  expect(createAccountState()).toEqual({
    opened: false,
    balance: 0,
    used: 0,
    requestCount: 0,
    rewards: 0,
    eventCount: 0,
    leases: new Map(),
    reserved: 0,
    reservedByToken: new Map(),
    budgets: new Map(),
    producers: new Map(),
    unplaced: new Set(),
    nextProducerId: 1,
  }));

describe('what leases hold', () => {
  test('counts from the first unit on', () =>
    expect(folded(...opened, aQuotaLeased(1))).toMatchObject({
      reserved: 1,
      reservedByToken: new Map([[tokenId, 1]]),
    }));
  test('is what the newest grant made of it', () =>
    expect(folded(...opened, aQuotaLeased(100, 1), aQuotaLeased(40, 2)).leases).toEqual(
      new Map([
        [leaseId, { relayId, tokenId, amount: 140, spent: 0, firstAsk: 1, ask: 2, lastGrant: 40 }],
      ]),
    ));
  test.each([
    ['expires', expired],
    ['is closed', returned(100)],
  ])('is free again when the lease %s', (_how, event) =>
    expect(folded(...opened, aQuotaLeased(100), event)).toMatchObject({
      reserved: 0,
      reservedByToken: new Map(),
      leases: new Map(),
    }),
  );
  test.each([[expired], [returned(5)]])('is not touched by an unknown lease: $type', (event) =>
    expect(folded(...opened, event)).toEqual({ ...folded(...opened), eventCount: 4 }),
  );
  test('is nothing where a token is unlimited: the balance bounds it', () => {
    const state = folded(...opened, aTokenBudgetSet(400, true));
    expect(availableOfToken(state, tokenId)).toBeNull();
  });
});

describe('movements', () => {
  test('of a correction', () =>
    expect(
      folded(...opened, {
        type: 'CorrectionPosted',
        data: { userId, delta: -30, corrects: ['req-1'], reason: 'r', balanceAfter: 970 },
      }).balance,
    ).toBe(970));
  test('of a referral reward that is transferred', () => {
    const rewarded: AccountEvent = {
      type: 'ReferralRewarded',
      data: { userId, amount: 100, inviteeId: 8 },
    };
    const transferred: AccountEvent = {
      type: 'ReferralRewardTransferred',
      data: { userId, amount: 60, balanceAfter: 1_060 },
    };
    const state = folded(...opened, rewarded, transferred);
    expect([state.balance, state.rewards, state.eventCount]).toEqual([1_060, 40, 5]);
  });
  test('of a refund leave producers alone', () => {
    const refunded: AccountEvent = {
      type: 'RequestRefunded',
      data: { userId, requestId: 'req-1', tokenId, amount: 30, reason: 'r', balanceAfter: 1_000 },
    };
    const before = folded(...opened, charged(30));
    const state = folded(...opened, charged(30), refunded);
    expect(state.producers).toEqual(before.producers);
    expect([state.balance, state.used]).toEqual([1_000, 0]);
  });
});

describe('a budget', () => {
  test('that is set again remembers what was used', () =>
    expect(folded(...opened, charged(30), aTokenBudgetSet(900)).budgets.get(tokenId)).toEqual({
      unlimited: false,
      remain: 900,
      used: 30,
    }));
  test('that is closed is gone, and nothing else', () => {
    const state = folded(...opened, { type: 'TokenBudgetClosed', data: { userId, tokenId } });
    expect([state.budgets.size, state.rewards]).toEqual([0, 0]);
  });
  test('is not touched by an abandoned request', () =>
    expect(folded(...opened, abandoned()).budgets).toEqual(folded(...opened).budgets));
});

describe('a producer', () => {
  const another = (relay: string, producerId: number): AccountEvent => ({
    type: 'QuotaLeased',
    data: { userId, tokenId, leaseId: relay, relayId: relay, amount: 1, ask: 1, producerId },
  });
  const ended: AccountEvent = {
    type: 'ProducerClosed',
    data: { userId, relayId, producerId: 1, last: 1 },
  };

  test('begins with the first lease of a relay, and the next lease is of the same', () => {
    const state = folded(...opened, aQuotaLeased(10), aQuotaLeased(10, 2), another('relay-b', 2));
    expect(state).toMatchObject({
      producers: new Map([
        [1, { relayId, settledThrough: 0, since: 3, closedLease: 0 }],
        [2, { relayId: 'relay-b', settledThrough: 0, since: 5, closedLease: 0 }],
      ]),
      nextProducerId: 3,
    });
    expect([producerOf(state, 'relay-b'), producerOf(state, 'relay-c')]).toEqual([2, null]);
  });
  test('has settled what was charged, given back and skipped', () => {
    const state = folded(
      ...opened,
      aQuotaLeased(100),
      charged(5, { sequence: 1 }),
      {
        type: 'LeaseReturned',
        data: { ...returned(5).data, usageNumber: { producerId: 1, number: 2 } },
      },
      {
        type: 'UsageNumberSkipped',
        data: { userId, relayId, usageNumber: { producerId: 1, number: 3 }, reason: 'r' },
      },
    );
    expect(state.producers.get(1)?.settledThrough).toBe(3);
  });
  test('that is closed leaves its id to no other, and its numbers to the stream', () => {
    const state = folded(...opened, aQuotaLeased(10), charged(5), ended);
    expect([state.producers.size, state.nextProducerId]).toEqual([0, 2]);
    expect(standingOf(state, relayId, { producerId: 1, number: 1 })).toBe('unknown');
  });
});

describe('a lease is lowered', () => {
  const moved = (delta: number): AccountEvent => ({
    type: 'QuotaAdjusted',
    data: { userId, delta, seen: null, reason: { kind: 'other', note: null }, balanceAfter: 0 },
  });
  const closed: AccountEvent = { type: 'TokenBudgetClosed', data: { userId, tokenId } };
  const otherBudget = (remain: number): AccountEvent => ({
    type: 'TokenBudgetSet',
    data: { userId, tokenId: tokenId + 1, unlimited: false, remain },
  });
  const unlimited: AccountEvent = {
    type: 'TokenBudgetSet',
    data: { userId, tokenId, unlimited: true, remain: 0 },
  };
  const held = [...opened, aQuotaLeased(100)] as const;
  const loweredAt = (...events: readonly AccountEvent[]) =>
    folded(...held, ...events).leases.get(leaseId)?.loweredAt;

  test.each([
    ['a balance that is lowered', [moved(-1)], 4],
    ['a balance that is raised', [moved(1)], undefined],
    ['a grant', [aQuotaGranted(5)], undefined],
    ['a budget that is lowered', [aTokenBudgetSet(399)], 4],
    ['a budget that is raised', [aTokenBudgetSet(401)], undefined],
    ['a budget that is lifted', [unlimited], undefined],
    ['a budget that is set again', [unlimited, aTokenBudgetSet(1_000)], 5],
    ['the end of a token', [closed], 4],
    ['the budget of another token', [otherBudget(1)], undefined],
    ['the newest of two', [moved(-1), moved(-1)], 5],
  ])('by %s', (_by, events, at) => expect(loweredAt(...events)).toBe(at));

  test('stays lowered when a stream on it gets more, and another lease is not', () => {
    const next = { ...aQuotaLeased(10), data: { ...aQuotaLeased(10).data, leaseId: 'next' } };
    const state = folded(...held, moved(-1), aQuotaLeased(10, 2), next as AccountEvent);
    expect(state.leases.get(leaseId)?.loweredAt).toBe(4);
    expect(state.leases.get('next')?.loweredAt).toBeUndefined();
  });
});

describe('a number of a producer', () => {
  const state = folded(...opened, aQuotaLeased(10), charged(1), charged(1, { sequence: 2 }));
  const standing = (number: number, producerId = 1, relay = relayId) =>
    standingOf(state, relay, { producerId, number });

  test.each([
    [1, 'settled'],
    [2, 'settled'],
    [3, 'next'],
    [4, 'ahead'],
  ])('%i of two that are settled is %s', (number, expected) =>
    expect(standing(number)).toBe(expected),
  );
  test('is unknown without one, of a future producer, and of another relay', () => {
    expect(standingOf(state, relayId, undefined)).toBe('unknown');
    expect(standing(1, 2)).toBe('unknown');
    expect(standing(1, 1, 'relay-b')).toBe('unknown');
  });
});

test('a snapshot contains its version, and opens with the settled numbers', () => {
  const commands = { traces: [], forgottenUntil: null };
  const before = folded(...opened, unplaced, aQuotaLeased(100), charged(30));
  const snapshot = takeSnapshot(userId, before, commands);
  expect(snapshot.version).toBe(4);
  const state = openSnapshot({ ...snapshot, digest: '' });
  expect(state).toEqual(before);
  expect(state?.unplaced).toEqual(new Set([relayId]));
});
