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
import { applyAccountEvent } from './decider-evolve.ts';
import type { AccountEvent } from './events.ts';
import { openSnapshot, takeSnapshot } from './snapshot.ts';
import {
  type AccountState,
  abandonmentOf,
  availableOfToken,
  createAccountState,
  settlementOf,
} from './state.ts';

type Charged = Readonly<{ sequence?: number; relayId?: string; requestId?: string }>;
const charged = (amount: number, facts: Charged = {}): AccountEvent => {
  const { sequence = 1, relayId: relay = relayId, requestId = `req-${sequence}` } = facts;
  const { kind: _kind, relayId: _relay, ...data } = aUsedRecord({ amount, sequence });
  const call = aCall({ requestId, relayId: relay });
  return { type: 'RequestCharged', data: { ...data, call, amount, balanceAfter: 0 } };
};
const abandoned = (relay = relayId, requestId = 'req-9'): AccountEvent => ({
  type: 'RequestAbandoned',
  data: { userId, requestId, relayId: relay, tokenId, leaseId, reserved: 50 },
});
const folded = (...events: readonly AccountEvent[]): AccountState => fold(accountDecider, events);
const opened = [anAccountOpened, aQuotaGranted(1_000), aTokenBudgetSet(400)] as const;
const returned = (unspent: number): AccountEvent => ({
  type: 'LeaseReturned',
  data: { userId, leaseId, unspent },
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
    relays: new Map(),
    relaysForgotten: false,
    recent: new Map(),
    older: new Map(),
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
    ['is returned whole', returned(100)],
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
  test('of a refund leave traces of requests alone', () => {
    const refunded: AccountEvent = {
      type: 'RequestRefunded',
      data: { userId, requestId: 'req-1', tokenId, amount: 30, reason: 'r', balanceAfter: 1_000 },
    };
    const before = folded(...opened, charged(30));
    const state = folded(...opened, charged(30), refunded);
    expect([state.relays, state.recent]).toEqual([before.relays, before.recent]);
    expect([state.balance, state.used]).toEqual([1_000, 0]);
  });
});

describe('a budget', () => {
  test('that is set anew remembers what was used', () =>
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

describe('what is known of a relay', () => {
  const traceOf = (...events: readonly AccountEvent[]) =>
    folded(...opened, ...events).relays.get(relayId);
  test('begins with its lease', () =>
    expect(traceOf(aQuotaLeased(10))).toEqual({ sequence: 0, since: 3, last: 3 }));
  test('begins with an abandoned request', () => {
    expect(traceOf(abandoned())).toEqual({ sequence: 0, since: 3, last: 3 });
    expect(folded(...opened, abandoned()).recent).toEqual(new Map([['req-9', 'abandoned']]));
  });
  test('is its highest number and its newest event', () => {
    expect(traceOf(charged(1, { sequence: 5 }), charged(1, { sequence: 3 }))).toEqual({
      sequence: 5,
      since: 3,
      last: 4,
    });
    expect(traceOf(charged(1, { sequence: 3 }), charged(1, { sequence: 5 }))).toEqual({
      sequence: 5,
      since: 3,
      last: 4,
    });
  });
  test('is kept of 64, and forgotten of the one that was quiet for longest', () => {
    const state = createAccountState();
    for (let nth = 0; nth < 64; nth += 1) applyAccountEvent(state, abandoned(`relay-${nth}`));
    expect([state.relays.size, state.relaysForgotten]).toEqual([64, false]);
    applyAccountEvent(state, abandoned('relay-0'));
    applyAccountEvent(state, abandoned('relay-new'));
    expect([state.relays.size, state.relaysForgotten]).toEqual([64, true]);
    expect([state.relays.has('relay-0'), state.relays.has('relay-1')]).toEqual([true, false]);
  });
});

describe('outcomes are remembered', () => {
  const stateAfter = (count: number): AccountState => {
    const state = createAccountState();
    for (let nth = 1; nth <= count; nth += 1)
      applyAccountEvent(state, charged(0, { sequence: nth }));
    return state;
  };
  const askOf = (sequence: number) => ({ requestId: `req-${sequence}`, relayId, sequence });

  test('in two generations of 512', () => {
    const early = stateAfter(511);
    expect([early.recent.size, early.older.size]).toEqual([511, 0]);
    const late = stateAfter(512);
    expect([late.recent.size, late.older.size]).toEqual([0, 512]);
    expect(settlementOf(late, askOf(1))).toBe('settled');
    expect(abandonmentOf(late, askOf(1))).toBe('settled');
    const forgotten = stateAfter(1_024);
    expect(settlementOf(forgotten, askOf(1))).toBe('uncertain');
    expect(settlementOf(forgotten, askOf(1_024))).toBe('settled');
  });
  test('as new above the highest number of a relay', () => {
    const state = stateAfter(600);
    expect(settlementOf(state, askOf(601))).toBe('new');
    expect(settlementOf(state, { ...askOf(600), requestId: 'other' })).toBe('uncertain');
    expect(settlementOf(state, { ...askOf(1), relayId: 'relay-z', requestId: 'z' })).toBe('new');
  });
  test('as uncertain once a relay was forgotten', () => {
    const state = { ...stateAfter(1), relaysForgotten: true };
    const unknown = { ...askOf(1), relayId: 'relay-z', requestId: 'z' };
    expect([settlementOf(state, unknown), abandonmentOf(state, unknown)]).toEqual([
      'uncertain',
      'uncertain',
    ]);
  });
  test('for abandoning: new of an unknown relay, uncertain of a known one', () => {
    const state = stateAfter(1);
    expect(abandonmentOf(state, { requestId: 'z', relayId: 'relay-z' })).toBe('new');
    expect(abandonmentOf(state, { requestId: 'z', relayId })).toBe('uncertain');
    expect(abandonmentOf(folded(...opened, abandoned()), { requestId: 'req-9', relayId })).toBe(
      'settled',
    );
  });
});

test('a snapshot says its version, and opens without the outcomes', () => {
  const snapshot = takeSnapshot(userId, folded(...opened, charged(30)), {
    traces: [],
    forgottenUntil: null,
  });
  expect(snapshot.version).toBe(1);
  const state = openSnapshot(snapshot);
  expect(state && settlementOf(state, { requestId: 'req-1', relayId, sequence: 1 })).toBe(
    'uncertain',
  );
});
