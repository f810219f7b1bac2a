import { beforeEach, describe, expect, test } from 'vitest';
import type { AccountEvent } from '../../domain/account/events.ts';
import { accountStreamId } from '../../domain/account/stream.ts';
import type { Random } from '../../infra/ports/random.ts';
import {
  aCall,
  anAccountOpened,
  aQuotaGranted,
  aQuotaLeased,
  aStartedRecord,
  aUsedRecord,
  leaseId,
  relayId,
  tokenId,
  userId,
} from '../../tests/support/account-examples.ts';
import { createMemoryEventStore } from '../../tests/support/memory-event-store.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import { CommandBatch } from './command-batch.ts';
import { type LoadedAccount, loadAccount } from './load-account.ts';
import { isSettleable, type Settleable, settlementWork } from './settlement.ts';

const now = '2026-03-01T09:00:00.000Z';
const random = { uuid: () => 'a-random-id' } as Random;
const used = (sequence: number, amount = 10) =>
  aUsedRecord({ sequence, amount, call: { requestId: `req-${sequence}` } });
const lost = (requestId: string) => ({ ...aStartedRecord({ requestId }), kind: 'lost' as const });
const idle = (unspent: number) =>
  ({ kind: 'lease-idle', relayId, userId, sequence: 9, leaseId, unspent }) as const;
const charged = (sequence: number): AccountEvent => {
  const { kind: _kind, relayId: _relay, ...data } = used(sequence);
  return { type: 'RequestCharged', data: { ...data, amount: 10, balanceAfter: 0 } };
};

const accountOf = async (...events: readonly AccountEvent[]): Promise<LoadedAccount> => {
  const store = createMemoryEventStore();
  const toAppend = events.map((event, nth) => ({
    event,
    eventId: `e-${nth}`,
    metadata: aMetadata(),
  }));
  await store.append(accountStreamId(userId), toAppend, 'no-stream');
  return loadAccount(store, userId);
};

let account: LoadedAccount;
beforeEach(async () => {
  account = await accountOf(anAccountOpened, aQuotaGranted(1_000), aQuotaLeased(100));
});

const settle = (
  records: readonly Settleable[],
  known: Record<string, 'charged' | 'abandoned'> = {},
) => {
  const outcomes = new Map(Object.entries(known));
  const findings = { outcomes, charges: new Map(), commands: new Map() };
  const batch = new CommandBatch(account, findings, random);
  const { faulty, ...tally } = settlementWork(records, now).run(batch);
  return {
    ...tally,
    reasons: faulty.map(({ reason }) => reason),
    types: batch.events.map(({ event }) => event.type),
    ids: batch.events.map(({ metadata }) => metadata.commandId),
    batch,
  };
};

describe('records of one account', () => {
  test('are charged, counted and named by their requests', () => {
    const { batch, ...result } = settle([used(1, 30), used(2, 12)]);
    expect(result).toEqual({
      charged: 2,
      units: 42,
      reasons: [],
      types: ['RequestCharged', 'RequestCharged'],
      ids: ['req-1', 'req-2'],
    });
    expect(account.state.balance).toBe(958);
    expect(batch.events[0]?.metadata).toMatchObject({
      actor: { kind: 'relay', id: relayId },
      correlationId: 'req-1',
      occurredAt: now,
    });
    expect(batch.events[0]?.eventId).not.toBe(batch.events[1]?.eventId);
    expect(settlementWork([used(1), used(2)], now).size).toBe(2);
  });
  test('give the same event the same id, whoever writes it', async () => {
    const idOf = (records: readonly Settleable[]) => settle(records).batch.events[0]?.eventId;
    const first = [idOf([used(1)]), idOf([lost('req-8')])];
    account = await accountOf(anAccountOpened, aQuotaGranted(500));
    expect([idOf([used(1)]), idOf([lost('req-8')])]).toEqual(first);
    expect(new Set(first).size).toBe(2);
  });
  test('hold nothing of a caller that the log does not keep', () => {
    const call = { ...aCall(), ip: '192.0.2.7' };
    const { batch } = settle([{ ...used(1), call }]);
    expect(batch.events[0]?.event.data).toMatchObject({ call: aCall(), amount: 10 });
    expect(JSON.stringify(batch.events)).not.toContain('192.0.2.7');
  });
  test('may be lost or an idle lease, which charge nothing', () => {
    const { batch, ...result } = settle([lost('req-8'), idle(100)]);
    expect(result).toEqual({
      charged: 0,
      units: 0,
      reasons: [],
      types: ['RequestAbandoned', 'LeaseReturned'],
      ids: ['req-8', leaseId],
    });
    expect(batch.events[0]?.event.data).toMatchObject({ userId, requestId: 'req-8', tokenId });
    expect(batch.events[1]?.event.data).toEqual({ userId, leaseId, unspent: 100 });
    expect(batch.events[1]?.eventId).toBe('a-random-id');
  });
  test('take effect once, by what the log knows of them', () => {
    const known = { 'req-1': 'charged', 'req-2': 'abandoned', 'req-3': 'abandoned' } as const;
    const { ids, types } = settle([used(1), used(2), lost('req-3'), lost('req-4')], known);
    expect([ids, types]).toEqual([
      ['req-2', 'req-4'],
      ['RequestCharged', 'RequestAbandoned'],
    ]);
  });
  test('that cannot be settled are named, and the others are charged', () => {
    const broken = { ...used(2), quote: { kind: 'ratio' } as never };
    const result = settle([used(1), broken, used(3)]);
    expect([result.ids, result.charged, result.reasons.length]).toEqual([['req-1', 'req-3'], 2, 1]);
  });
  test('are charged to an account that was never opened as well', async () => {
    account = await accountOf();
    expect(settle([used(1)])).toMatchObject({ charged: 1, reasons: [] });
    expect(account.state.balance).toBe(-10);
  });
});

describe('the log is asked', () => {
  const questions = (...records: readonly Settleable[]) =>
    settlementWork(records, now).questions(account.state, account.commands);
  const startedAt = '2026-03-01T08:00:00.000Z';

  test('nothing of a relay that the account has never seen', async () => {
    account = await accountOf(anAccountOpened, aQuotaGranted(1_000));
    expect(questions(used(1), lost('req-8'), idle(5))).toEqual([]);
  });
  test('nothing of what comes in its order', async () => {
    account = await accountOf(anAccountOpened, aQuotaGranted(1_000), charged(5));
    expect(questions(used(6), idle(5))).toEqual([]);
  });
  test('what became of a request that may have been settled, since its relay was first seen', async () => {
    account = await accountOf(anAccountOpened, aQuotaGranted(1_000), charged(5));
    const asked = { about: 'outcome', notBefore: 2, notOlderThan: startedAt };
    expect(questions(used(4), lost('req-8'))).toEqual([
      { ...asked, id: 'req-4' },
      { ...asked, id: 'req-8' },
    ]);
  });
  test('from the first event on where relays were forgotten', () => {
    account.state.relaysForgotten = true;
    const [question] = questions({
      ...used(4),
      relayId: 'other',
      call: aCall({ relayId: 'other' }),
    });
    expect(question).toMatchObject({ notBefore: 0 });
  });
});

test.each([
  [used(1), true],
  [lost('req-1'), true],
  [idle(1), true],
  [aStartedRecord(), false],
])('of records that came, %o changes an account: %s', (record, expected) => {
  expect(isSettleable(record)).toBe(expected);
});
