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
import { openChargesOf } from './charge-search.ts';
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

type Bounds = Readonly<{ notBefore?: number }>;
const outcome = (id: string, bounds: Bounds = {}): Question => ({
  about: 'outcome',
  id,
  notBefore: 0,
  ...bounds,
});
const charge = (...names: readonly string[]): Question => ({ about: 'charges', names });
const command = (id: string, upTo: number, behind: bigint | null = null): Question => ({
  about: 'forgotten-command',
  id,
  upTo,
  behind,
});

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

/** The findings of the first `eventCount` events, and how many events were read for them. */
const findIn = async (eventCount: number, ...questions: readonly Question[]) => {
  let count = 0;
  const counting = {
    readStream: async function* (...options: Parameters<EventStore['readStream']>) {
      for await (const recorded of store.readStream(...options)) {
        count += 1;
        yield recorded;
      }
    },
  } as unknown as EventStore;
  const findings = await lookUp(counting, { userId, eventCount }, questions);
  return {
    outcomes: Object.fromEntries(findings.outcomes),
    charges: Object.fromEntries(
      [...openChargesOf(findings.movements)].flatMap(([name, { amount, left }]) =>
        name.startsWith('r-') ? [[name, { amount, left }]] : [],
      ),
    ),
    commands: Object.fromEntries(
      [...findings.commands].map(([id, events]) => [id, events.map(({ revision }) => revision)]),
    ),
    count,
  };
};

const find = (...questions: readonly Question[]) => findIn(store.all.length, ...questions);

test('nothing is read without a query', async () => {
  await find();
  expect(store.reads).toBe(0);
  expect(await find()).toEqual({ outcomes: {}, charges: {}, commands: {}, count: 0 });
});

test('nothing is found beyond the events that the account is folded from', async () => {
  await write(charged('r-1'));
  await write(refunded('r-1', 1));
  await write(charged('r-2'));
  const asked = [charge('r-1'), outcome('r-2')];
  expect(await findIn(1, ...asked)).toMatchObject({
    charges: { 'r-1': { amount: 30, left: 30 } },
    outcomes: {},
  });
  expect(await findIn(3, ...asked)).toMatchObject({
    charges: { 'r-1': { amount: 30, left: 29 } },
    outcomes: { 'r-2': 'charged' },
  });
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
  test('is the charge, whichever of the two was first', async () => {
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
  test('is not searched before the first revision it can have', async () => {
    await write(charged('r-0'));
    await write(charged('r-1'));
    await write(granted);
    expect((await find(outcome('r-1', { notBefore: 1 }))).outcomes).toEqual({ 'r-1': 'charged' });
    expect((await find(outcome('r-1', { notBefore: 2 }))).outcomes).toEqual({});
    const both = await find(outcome('r-1', { notBefore: 2 }), outcome('r-0', { notBefore: 0 }));
    expect(both.outcomes).toEqual({ 'r-0': 'charged', 'r-1': 'charged' });
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
      charges: { 'r-1': { amount: 30, left: 15 } },
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
    expect(charges).toMatchObject({ 'r-1': { amount: 1 }, 'r-2': { amount: 2, left: 2 } });
  });
});

describe('the events of a command', () => {
  beforeEach(async () => {
    await write(granted, '08:00', 'c-0');
    await write(granted, '08:00', 'c-1');
    await write(granted, '08:00', 'c-1');
    await write(granted, '08:00', 'c-2');
  });
  test('are found together, oldest first', async () => {
    const { commands, count } = await find(command('c-1', 3));
    expect([commands, count]).toEqual([{ 'c-1': [1n, 2n] }, 4]);
  });
  test('are not searched after the revision from which memory holds all', async () => {
    const { commands, count } = await find(command('c-2', 2));
    expect([commands, count]).toEqual([{}, 3]);
  });
  test('are not searched before their cause', async () => {
    const [, second] = store.all;
    const { commands, count } = await find(command('c-0', 3, second?.position));
    expect([commands, count]).toEqual([{}, 3]);
  });
  test('are read at their place where memory has it', async () => {
    const known = { about: 'known-command', id: 'c-1', first: 1, count: 2 } as const;
    const { commands, count } = await find(known);
    expect([commands, count]).toEqual([{ 'c-1': [1n, 2n] }, 2]);
  });
});
