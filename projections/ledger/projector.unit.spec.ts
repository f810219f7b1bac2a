import { describe, expect, test } from 'vitest';
import type { AccountEvent } from '../../domain/account/events.ts';
import {
  aCall,
  anAccountOpened,
  aQuotaGranted,
  aQuotaLeased,
  aUsedRecord,
  leaseId,
  relayId,
  tokenId,
  userId,
} from '../../tests/support/account-examples.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import type { OpenLeases } from './leases.ts';
import { ledgerProjector } from './projector.ts';

/** 2026-03-01T08:00:00Z and the start of that day, Unix seconds. */
const at = 1_772_352_000;
const day = 1_772_323_200;

type Write = readonly [table: string, operation: string, ...values: unknown[]];

/** What the handlers of these events write, in order; positions count from 10. */
const written = (events: readonly AccountEvent[], open: OpenLeases = new Map()): Write[] => {
  const writes: Write[] = [];
  const tableAt = (table: string) =>
    new Proxy(
      {},
      {
        get:
          (_target, operation: string) =>
          (...values: unknown[]) =>
            writes.push([table, operation, ...structuredClone(values)]),
      },
    );
  const rows = new Proxy({}, { get: (_target, table: string) => tableAt(table) });
  events.forEach((event, nth) => {
    const handler = ledgerProjector.on[event.type];
    if (typeof handler !== 'function') return;
    const recorded = {
      event,
      eventId: `event-${nth}`,
      streamId: `account-${userId}`,
      revision: BigInt(nth),
      position: BigInt(nth + 10),
      metadata: aMetadata(),
    };
    handler(rows, recorded, open);
  });
  return writes;
};

const plain = {
  position: 10,
  event_id: 'event-0',
  user_id: userId,
  at,
  request_id: '',
  token_id: 0,
  model_name: '',
  channel_id: 0,
  reason: '',
  reason_kind: null,
  reference: '',
  actor_kind: 'user',
  actor_id: '1',
  price: null,
  lease_id: '',
};
/** The three writes of one movement. */
const movement = (entry: Readonly<{ kind: string; balance_after: number }> & object): Write[] => [
  ['entries', 'insert', { ...plain, ...entry }],
  ['accounts', 'patch', userId, { balance: entry.balance_after }],
  ['days', 'accumulate', { user_id: userId, day, kind: entry.kind, count: 1 }],
];

const charged = (lease: string | null, end: 'complete' | 'client-gone' = 'complete') => {
  const { kind: _kind, relayId: _relay, ...data } = aUsedRecord({ amount: 30, leaseId: lease });
  const event: AccountEvent = {
    type: 'RequestCharged',
    data: { ...data, end: end as typeof data.end, call: aCall(), amount: 30, balanceAfter: 970 },
  };
  return { event, price: JSON.stringify({ usage: data.usage, quote: data.quote }) };
};

describe('each movement is one entry, the balance after it, and one more on its day', () => {
  test('a grant, with what it was for', () =>
    expect(written([aQuotaGranted(1_000)])).toEqual(
      movement({
        kind: 'QuotaGranted',
        delta: 1_000,
        balance_after: 1_000,
        reason: 'topup',
        reference: 'trade-1',
      } as never),
    ));
  test('a top-up, with the number that the payment provider gave it', () => {
    const paid = { amountMinor: 500, currency: 'USD' };
    const payment = { provider: 'stripe', providerReference: 'pi-1', paid, bonusQuota: 0 };
    const granted = aQuotaGranted(1_000);
    const event = { ...granted, data: { ...granted.data, payment } } as AccountEvent;
    expect(written([event])[0]?.[2]).toMatchObject({ reference: 'trade-1 / pi-1' });
  });
  test.each([
    ['case 5', 'case 5'],
    [undefined, ''],
  ])('an adjustment with the note %s', (note, reason) => {
    const why = { kind: 'goodwill', ...(note === undefined ? {} : { note }) };
    const data = { userId, delta: -40, seen: 100, reason: why, balanceAfter: 60 };
    expect(written([{ type: 'QuotaAdjusted', data } as AccountEvent])).toEqual(
      movement({
        kind: 'QuotaAdjusted',
        delta: -40,
        balance_after: 60,
        reason_kind: 'goodwill',
        reason,
      } as never),
    );
  });
  test('a charge that a lease funded names it', () =>
    expect(written([charged(leaseId).event])[0]?.[2]).toMatchObject({ lease_id: leaseId }));
  test('a charge, taken from the balance and added to what was used', () => {
    const { event, price } = charged(null);
    expect(written([event])).toEqual([
      ...movement({
        kind: 'RequestCharged',
        delta: -30,
        balance_after: 970,
        request_id: 'req-1',
        token_id: tokenId,
        model_name: 'gpt-4o',
        channel_id: 3,
        price,
      } as never),
      ['accounts', 'add', userId, { used: 30 }],
    ]);
  });
  test('a charge of an answer that was cut short contains the reason', () =>
    expect(written([charged(null, 'client-gone').event])[0]?.[2]).toMatchObject({
      reason: 'client-gone',
    }));
  test('a refund, given back to the balance and taken from what was used', () =>
    expect(
      written([
        {
          type: 'RequestRefunded',
          data: {
            userId,
            requestId: 'req-1',
            tokenId,
            amount: 30,
            reason: 'task failed',
            balanceAfter: 1_000,
          },
        },
      ]),
    ).toEqual([
      ...movement({
        kind: 'RequestRefunded',
        delta: 30,
        balance_after: 1_000,
        request_id: 'req-1',
        token_id: tokenId,
        reason: 'task failed',
      } as never),
      ['accounts', 'add', userId, { used: -30 }],
    ]));
  test('a referral reward that is transferred', () =>
    expect(
      written([
        {
          type: 'ReferralRewardTransferred',
          data: { userId, amount: 60, balanceAfter: 1_060 },
        },
      ]),
    ).toEqual(
      movement({ kind: 'ReferralRewardTransferred', delta: 60, balance_after: 1_060 } as never),
    ));
  test.each([
    [undefined, 'r'],
    ['case-1', 'r (case-1)'],
  ])('a correction with reference %s', (reference, reason) =>
    expect(
      written([
        {
          type: 'CorrectionPosted',
          data: {
            userId,
            delta: -30,
            corrects: ['req-1', 'req-2'],
            reason: 'r',
            ...(reference === undefined ? {} : { reference }),
            balanceAfter: 970,
          },
        },
      ]),
    ).toEqual(
      movement({
        kind: 'CorrectionPosted',
        delta: -30,
        balance_after: 970,
        reason,
        reference: 'req-1,req-2',
      } as never),
    ),
  );
  test('an account begins with nothing', () =>
    expect(written([anAccountOpened])).toEqual([
      ['accounts', 'put', { user_id: userId, balance: 0, used: 0 }],
    ]));
});

describe('a lease', () => {
  const id = `${leaseId}#10`;
  const move = (position: number, amount: number): Write => [
    'leaseMoves',
    'insert',
    { user_id: userId, position, at, lease_id: leaseId, amount },
  ];
  const opened: Write = [
    'leases',
    'put',
    {
      id,
      lease_id: leaseId,
      user_id: userId,
      token_id: tokenId,
      relay_id: relayId,
      opened_position: 10,
      opened_at: at,
      closed_at: 0,
      amount: 100,
      spent: 0,
    },
  ];
  const returned = (unspent: number, closes: boolean): AccountEvent => ({
    type: 'LeaseReturned',
    data: { userId, leaseId, unspent, closes },
  });
  const expired: AccountEvent = { type: 'LeaseExpired', data: { userId, leaseId, unspent: 20 } };
  const first = aQuotaLeased(100, 1);

  test('opens with its first grant and grows with the next', () =>
    expect(written([first, aQuotaLeased(40, 2)])).toEqual([
      move(10, 100),
      opened,
      move(11, 40),
      ['leases', 'patch', id, { amount: 140 }],
    ]));
  test('counts what was charged', () =>
    expect(written([first, charged(leaseId).event])).toContainEqual([
      'leases',
      'patch',
      id,
      { spent: 30 },
    ]));
  test('stays open where a return does not close it', () => {
    const open: OpenLeases = new Map();
    expect(written([first, charged(leaseId).event, returned(69, false)], open).slice(-2)).toEqual([
      move(12, -69),
      ['leases', 'patch', id, { amount: 31 }],
    ]);
    expect(open.has(leaseId)).toBe(true);
  });
  test('is closed by the return that ends it', () => {
    const open: OpenLeases = new Map();
    expect(written([first, charged(leaseId).event, returned(70, true)], open).slice(-2)).toEqual([
      move(12, -70),
      ['leases', 'patch', id, { amount: 30, closed_at: at }],
    ]);
    expect(open.has(leaseId)).toBe(false);
  });
  test('is closed by its end, whatever is left', () =>
    expect(written([first, expired]).slice(-2)).toEqual([
      move(11, -20),
      ['leases', 'patch', id, { amount: 80, closed_at: at }],
    ]));
  test('that is not open is not touched', () => {
    expect(written([returned(5, true)])).toEqual([]);
    expect(written([charged(leaseId).event]).map(([table]) => table)).not.toContain('leases');
  });
});

test('the ledger keeps its name and ignores what moves no balance', () => {
  const { RequestAbandoned, TokenBudgetSet, TokenBudgetClosed, ReferralRewarded } =
    ledgerProjector.on;
  expect(ledgerProjector.name).toBe('ledger');
  expect([RequestAbandoned, TokenBudgetSet, TokenBudgetClosed, ReferralRewarded]).toEqual(
    Array(4).fill('ignored'),
  );
});
