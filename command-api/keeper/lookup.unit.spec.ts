import { beforeEach, describe, expect, test } from 'vitest';
import type { AccountEvent } from '../../domain/account/events.ts';
import { accountStreamId } from '../../domain/account/stream.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import { aCall, aUsedRecord, tokenId, userId } from '../../tests/support/account-examples.ts';
import {
  createMemoryEventStore,
  type MemoryEventStore,
} from '../../tests/support/memory-event-store.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import { lookUp, type Question } from './lookup.ts';

const charged = (requestId: string, amount = 30): AccountEvent => {
  const { kind: _kind, relayId: _relay, ...data } = aUsedRecord();
  const call = aCall({ requestId });
  return { type: 'RequestCharged', data: { ...data, call, amount, balanceAfter: 0 } };
};
const abandoned = (requestId: string): AccountEvent =>
  ({ type: 'RequestAbandoned', data: { userId, requestId, tokenId } }) as AccountEvent;
const refunded = (requestId: string, amount: number): AccountEvent => ({
  type: 'RequestRefunded',
  data: { userId, requestId, tokenId, amount, reason: 'r', balanceAfter: 0 },
});
const granted: AccountEvent = {
  type: 'QuotaGranted',
  data: { userId, amount: 1, source: 'topup', reference: 'r', balanceAfter: 1 },
};

const outcome = (id: string, changes: Partial<Question> = {}): Question => ({
  about: 'outcome',
  id,
  notBefore: 0,
  notOlderThan: null,
  ...changes,
});
const charge = (id: string): Question => ({ ...outcome(id), about: 'charge' });
const command = (id: string): Question => ({ ...outcome(id), about: 'command' });

let store: MemoryEventStore;
let nth: number;
beforeEach(() => {
  store = createMemoryEventStore();
  nth = 0;
});

const write = async (event: AccountEvent, time = '08:00', commandId = 'c'): Promise<void> => {
  const occurredAt = `2026-03-01T${time}:00.000Z`;
  nth += 1;
  const toAppend = { event, eventId: `e-${nth}`, metadata: aMetadata({ commandId, occurredAt }) };
  await store.append(accountStreamId(userId), [toAppend], 'any');
};

/** The findings, and how many events were read for them. */
const find = async (...questions: readonly Question[]) => {
  let count = 0;
  const counting = {
    readStream: async function* (...options: Parameters<EventStore['readStream']>) {
      for await (const recorded of store.readStream(...options)) {
        count += 1;
        yield recorded;
      }
    },
  } as unknown as EventStore;
  const findings = await lookUp(counting, userId, questions);
  return {
    outcomes: Object.fromEntries(findings.outcomes),
    charges: Object.fromEntries(findings.charges),
    commands: Object.fromEntries(
      [...findings.commands].map(([id, events]) => [id, events.map(({ revision }) => revision)]),
    ),
    count,
  };
};

test('nothing is read where nothing is asked', async () => {
  await find();
  expect(store.reads).toBe(0);
  expect(await find()).toEqual({ outcomes: {}, charges: {}, commands: {}, count: 0 });
});

describe('the outcome of a request', () => {
  test('is its charge, and no older event is read', async () => {
    await write(granted);
    await write(charged('r-1'));
    await write(granted);
    expect(await find(outcome('r-1'))).toEqual({
      outcomes: { 'r-1': 'charged' },
      charges: {},
      commands: {},
      count: 2,
    });
  });
  test('is its abandonment where there is no charge, down to the first event', async () => {
    await write(granted);
    await write(charged('r-2'));
    await write(abandoned('r-1'));
    await write(abandoned('r-3'));
    const { outcomes, count } = await find(outcome('r-1'));
    expect([outcomes, count]).toEqual([{ 'r-1': 'abandoned' }, 4]);
  });
  test('is the charge, whichever of the two came first', async () => {
    await write(charged('r-1'));
    await write(abandoned('r-1'));
    await write(abandoned('r-2'));
    await write(charged('r-2'));
    const { outcomes } = await find(outcome('r-1'), outcome('r-2'));
    expect(outcomes).toEqual({ 'r-1': 'charged', 'r-2': 'charged' });
  });
  test('is read on for while another request is not found', async () => {
    await write(charged('r-1'));
    await write(charged('r-2'));
    const { outcomes, count } = await find(outcome('r-2'), outcome('r-1'));
    expect([outcomes, count]).toEqual([{ 'r-1': 'charged', 'r-2': 'charged' }, 2]);
  });
  test('is not looked for before the first revision it can have', async () => {
    await write(charged('r-0'));
    await write(charged('r-1'));
    await write(granted);
    expect((await find(outcome('r-1', { notBefore: 1 }))).outcomes).toEqual({ 'r-1': 'charged' });
    expect((await find(outcome('r-1', { notBefore: 2 }))).outcomes).toEqual({});
    const both = await find(outcome('r-1', { notBefore: 2 }), outcome('r-0', { notBefore: 0 }));
    expect(both.outcomes).toEqual({ 'r-0': 'charged', 'r-1': 'charged' });
  });
  test('is looked for an hour before its request, as clocks differ', async () => {
    const since = (time: string) => ({ notOlderThan: `2026-03-01T${time}:00.000Z` });
    await write(charged('r-1'), '08:00');
    await write(granted, '09:30');
    expect((await find(outcome('r-1', since('09:00')))).outcomes).toEqual({ 'r-1': 'charged' });
    const late = await find(outcome('r-1', since('09:01')));
    expect([late.outcomes, late.count]).toEqual([{}, 2]);
    for (const other of [since('08:30'), { notOlderThan: null }, { notOlderThan: 'soon' }]) {
      const found = await find(outcome('r-1', since('10:00')), outcome('r-9', other));
      expect(found.outcomes).toEqual({ 'r-1': 'charged' });
      const turned = await find(outcome('r-9', other), outcome('r-1', since('10:00')));
      expect(turned.outcomes).toEqual({ 'r-1': 'charged' });
    }
  });
});

describe('the charge of a request', () => {
  test('is what it cost, less what was given back since', async () => {
    await write(granted);
    await write(charged('r-1', 30));
    await write(refunded('r-1', 10));
    await write(refunded('r-2', 9));
    await write(refunded('r-1', 5));
    expect(await find(charge('r-1'))).toEqual({
      outcomes: {},
      charges: { 'r-1': { amount: 30, tokenId, refunded: 15 } },
      commands: {},
      count: 4,
    });
  });
  test('is none where it was never charged', async () => {
    await write(charged('r-2'));
    expect((await find(charge('r-1'))).charges).toEqual({});
  });
  test('is read on for while another is not found', async () => {
    await write(charged('r-1', 1));
    await write(charged('r-2', 2));
    const { charges } = await find(charge('r-1'), charge('r-2'));
    expect(charges).toMatchObject({ 'r-1': { amount: 1 }, 'r-2': { amount: 2, refunded: 0 } });
  });
});

test('the events of a command are found to the first, oldest first', async () => {
  await write(granted, '08:00', 'c-1');
  await write(granted, '08:00', 'c-2');
  await write(granted, '08:00', 'c-1');
  expect(await find(command('c-1'))).toEqual({
    outcomes: {},
    charges: {},
    commands: { 'c-1': [0n, 2n] },
    count: 3,
  });
});
