import { beforeEach, describe, expect, test } from 'vitest';
import { applyAccountEvent } from '../../domain/account/decider-evolve.ts';
import type { AccountEvent } from '../../domain/account/events.ts';
import type { RequestUsed } from '../../domain/account/messages.ts';
import { accountStreamId } from '../../domain/account/stream.ts';
import type { Random } from '../../infra/ports/random.ts';
import {
  aLeaseIdle,
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
import { isSettleable, type Settleable, settlementWork, skipWork } from './settlement.ts';

const now = '2026-03-01T09:00:00.000Z';
const random = { uuid: () => 'a-random-id' } as Random;
const used = (sequence: number, amount = 10) =>
  aUsedRecord({ sequence, amount, call: { requestId: `req-${sequence}` } });
/** Of a free task: no lease funds it. */
const withoutNumber = ({ usageNumber: _number, ...record }: RequestUsed): RequestUsed => record;
const lost = (requestId: string) => ({ ...aStartedRecord({ requestId }), kind: 'lost' as const });
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
  const findings = { outcomes, movements: [], commands: new Map() };
  const batch = new CommandBatch(account, findings, random);
  const { faulty, waiting, ...tally } = settlementWork(records, now).run(batch);
  return {
    ...tally,
    isWaiting: waiting.length > 0,
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
      isWaiting: false,
      reasons: [],
      requests: ['req-1', 'req-2'],
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
  test('may be lost or an idle lease, which charge nothing', () => {
    const { batch, ...result } = settle([lost('req-8'), aLeaseIdle({ unspent: 100 })]);
    expect(result).toEqual({
      charged: 0,
      units: 0,
      isWaiting: false,
      reasons: [],
      requests: [],
      types: ['RequestAbandoned', 'LeaseReturned'],
      ids: ['req-8', leaseId],
    });
    expect(batch.events[0]?.event.data).toMatchObject({ userId, requestId: 'req-8', tokenId });
    expect(batch.events[1]?.event.data).toEqual({
      userId,
      leaseId,
      unspent: 100,
      usageNumber: { producerId: 1, number: 1 },
      closes: true,
    });
    expect(batch.events[1]?.eventId).toBe('a-random-id');
  });
  test('take effect once, by the records in the log', () => {
    const known = { 'req-1': 'charged', 'req-2': 'abandoned', 'req-3': 'abandoned' } as const;
    const early = (sequence: number) => withoutNumber(used(sequence));
    const { ids, types } = settle(
      [early(1), early(2), early(2), lost('req-3'), lost('req-4'), lost('req-4')],
      known,
    );
    expect([ids, types]).toEqual([
      ['req-2', 'req-4'],
      ['RequestCharged', 'RequestAbandoned'],
    ]);
  });
  test('take effect once, by their numbers', () => {
    const { ids } = settle([used(1), used(1), used(2), used(1), used(2)]);
    expect(ids).toEqual(['req-1', 'req-2']);
  });
  test('take effect once, where they are repeated with the end of their producer', () => {
    settle([used(1)]);
    const end = { kind: 'producer-ended', relayId, userId, sequence: 9, producerId: 1 } as const;
    const works = [settlementWork([{ ...end, last: 1 }], now), settlementWork([used(1)], now)];
    const asked = works.flatMap((work) => work.questions(account.state, account.commands));
    const findings = { outcomes: new Map(), movements: [], commands: new Map() };
    const batch = new CommandBatch(account, findings, random);
    for (const work of works) work.run(batch);
    expect(asked).toEqual([]);
    expect(batch.events.map(({ event }) => event.type)).toEqual([
      'LeaseReturned',
      'ProducerClosed',
    ]);
  });
  test('pass what is lost before them, where their relay holds nothing older', () => {
    const records = [used(4), used(5)];
    const findings = { outcomes: new Map(), movements: [], commands: new Map() };
    const batch = new CommandBatch(account, findings, random);
    const { waiting, charged } = settlementWork(records, now, new Set(records)).run(batch);
    expect([waiting, charged]).toEqual([[], 2]);
    expect(batch.events[0]?.event).toEqual({
      type: 'UsageNumberSkipped',
      data: { userId, relayId, usageNumber: { producerId: 1, number: 3 }, reason: 'lost' },
    });
    const ended = {
      kind: 'producer-ended',
      relayId,
      userId,
      sequence: 9,
      producerId: 1,
      last: 7,
    } as const;
    settlementWork([ended], now, new Set([ended])).run(batch);
    expect(batch.events.slice(-3).map(({ event }) => event.type)).toEqual([
      'UsageNumberSkipped',
      'LeaseReturned',
      'ProducerClosed',
    ]);
  });
  test('take effect once where they were charged before their producer existed', async () => {
    account = await accountOf(anAccountOpened, aQuotaGranted(1_000));
    expect(settle([used(2)]).types).toEqual(['RequestCharged']);
    const { state } = account;
    expect(state).toMatchObject({ balance: 990, unplaced: new Set([relayId]) });
    applyAccountEvent(state, aQuotaLeased(100));
    const known = { ...lost('req-8'), producerId: 1 };
    expect(settlementWork([used(2), known], now).questions(state, account.commands)).toMatchObject([
      { id: 'req-2', notBefore: 0 },
      { id: 'req-8', notBefore: 0 },
    ]);
    expect(settle([used(2)], { 'req-2': 'charged' })).toMatchObject({ isWaiting: true, types: [] });
    expect(settle([used(1), used(2), used(3)], { 'req-2': 'charged' })).toMatchObject({
      charged: 2,
      isWaiting: false,
      types: ['RequestCharged', 'UsageNumberSkipped', 'RequestCharged'],
    });
    expect(state.balance).toBe(970);
    const end = { kind: 'producer-ended', relayId, userId, sequence: 9, producerId: 1 } as const;
    settle([{ ...end, last: 3 }]);
    expect(state.unplaced).toEqual(new Set());
  });
  test('wait for a number before theirs', () => {
    const result = settle([used(1), used(3)]);
    expect([result.ids, result.isWaiting, result.reasons]).toEqual([['req-1'], true, []]);
  });
  test('that cannot be settled are named, and skipped for those after them', () => {
    const broken = { ...used(2), quote: { kind: 'ratio' } as never };
    const result = settle([used(1), broken, used(3)]);
    expect([result.ids, result.isWaiting, result.reasons.length]).toEqual([['req-1'], true, 1]);
    const reason = 'no price';
    expect(skipWork(broken, { reason, occurredAt: now }).run(result.batch)).toBe(true);
    expect(skipWork(broken, { reason, occurredAt: now }).run(result.batch)).toBe(false);
    expect(settle([used(1), broken, used(3)]).ids).toEqual(['req-3']);
  });
  test('are charged to an account that was never opened as well', async () => {
    account = await accountOf();
    expect(settle([withoutNumber(used(1))])).toMatchObject({ charged: 1, reasons: [] });
    expect(account.state.balance).toBe(-10);
  });
});

describe('the log is read', () => {
  const questions = (...records: readonly Settleable[]) =>
    settlementWork(records, now).questions(account.state, account.commands);

  test('nothing of the numbers of an open producer, and all of a closed one', async () => {
    expect(questions(used(1), used(7), aLeaseIdle())).toEqual([]);
    const ended: AccountEvent = {
      type: 'ProducerClosed',
      data: { userId, relayId, producerId: 1, last: 0 },
    };
    account = await accountOf(anAccountOpened, aQuotaGranted(1_000), aQuotaLeased(100), ended);
    // Its id may have been given to another in the log that this one replaced.
    expect(questions(used(1), { ...lost('req-8'), producerId: 1 })).toMatchObject([
      { id: 'req-1', notBefore: 0 },
      { id: 'req-8', notBefore: 0 },
    ]);
  });
  test('all of it where a restored log gave the id of the producer to another relay', async () => {
    account = await accountOf(anAccountOpened, aQuotaGranted(1_000), aQuotaLeased(100));
    const ofAnother = { ...lost('req-8'), relayId: 'another-relay', producerId: 1 };
    expect(questions(ofAnother)).toMatchObject([{ id: 'req-8', notBefore: 0 }]);
  });
  test('what became of a request since its producer was opened, without one from the first event on', () => {
    const asked = { about: 'outcome' };
    const early = withoutNumber(used(4));
    expect(questions(early, lost('req-8'), { ...lost('req-9'), producerId: 1 })).toEqual([
      { ...asked, id: 'req-4', notBefore: 0 },
      { ...asked, id: 'req-8', notBefore: 0 },
      { ...asked, id: 'req-9', notBefore: 2 },
    ]);
  });
});

test.each([
  [used(1), true],
  [lost('req-1'), true],
  [aLeaseIdle(), true],
  [aStartedRecord(), false],
])('of received records, %o changes an account: %s', (record, expected) => {
  expect(isSettleable(record)).toBe(expected);
});
