import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { Event, Recorded } from '../../domain/shared/event.ts';
import {
  dayAfter,
  type StoryIds,
  tellCleanStory,
} from '../../tests/integration/verify/clean-story.ts';
import {
  createMemoryEventStore,
  type MemoryEventStore,
} from '../../tests/support/memory-event-store.ts';
import { aTopUpPaid } from '../../tests/support/topup-examples.ts';
import type { BreakKind, VerifyReport } from '../ports/verify.ts';
import { verify } from './verify.ts';

type Data = Record<string, unknown>;

let eventStore: MemoryEventStore;
let ids: StoryIds;

beforeEach(async () => {
  eventStore = createMemoryEventStore();
  ids = await tellCleanStory(eventStore);
});

const log = (): Recorded[] => eventStore.all as Recorded[];
const placeOf = (name: string): number => log().findIndex(({ eventId }) => eventId === ids[name]);
const eventOf = (name: string): Recorded => {
  const found = log()[placeOf(name)];
  if (found === undefined) throw new Error(`the story has no ${name}`);
  return found;
};
/** Overwrites a stored event in place, which the store itself never does. */
const tamper = (name: string, changes: Data | ((data: Data) => Data)): void => {
  const recorded = eventOf(name);
  const data = recorded.event.data as Data;
  const changed = typeof changes === 'function' ? changes(data) : { ...data, ...changes };
  log()[placeOf(name)] = { ...recorded, event: { ...recorded.event, data: changed } };
};
/** An event more, at the end of a stream. */
const plant = async (
  streamId: string,
  event: Event,
  { metadata }: Pick<Recorded, 'metadata'> = eventOf('opened'),
): Promise<string> => {
  const eventId = randomUUID();
  await eventStore.append(streamId, [{ event, eventId, metadata }], 'any');
  return eventId;
};
const again = (name: string): Promise<string> =>
  plant(eventOf(name).streamId, eventOf(name).event, eventOf(name));

const check = (changes: Partial<Parameters<typeof verify>[0]> = {}): Promise<VerifyReport> =>
  verify({ eventStore, readModels: null, clock: dayAfter, ...changes });
const found = async (): Promise<[BreakKind, string | null][]> =>
  (await check()).breaks.map(({ kind, eventId }) => [kind, eventId]);
const id = (name: string): string => ids[name] ?? '';

test('clean books show no break, and the report counts what there is', async () => {
  const report = await check();
  expect(report.breaks).toEqual([]);
  expect(report).toMatchObject({
    events: log().length,
    accounts: 1,
    requests: { charged: 3, failed: 1, abandoned: 1, open: 0 },
    leases: { opened: 1, closed: 1, alive: 0 },
  });
});

test('two runs over the same log agree', async () => {
  tamper('req-1', { amount: 1 });
  expect(await check()).toEqual(await check());
});

test('a request that a relay announced and not closed is open, which is no break', async () => {
  const report = await check({ started: ['req-1', 'req-99'] });
  expect(report.requests.open).toBe(1);
  expect(report.breaks).toEqual([]);
});

test('a charge that is not what its usage costs is found', async () => {
  tamper('req-2', { amount: 3_624 });
  expect(await found()).toContainEqual(['price-mismatch', id('req-2')]);
});

test('a balance that is not the sum of the movements is found once, where it begins', async () => {
  tamper('req-2', ({ balanceAfter, ...data }) => ({
    ...data,
    balanceAfter: Number(balanceAfter) + 7,
  }));
  expect(await found()).toEqual([['balance-mismatch', id('req-2')]]);
});

test('a charge taken out of the log is found by the gap and by the balance', async () => {
  log().splice(placeOf('req-2'), 1);
  expect((await found()).map(([kind]) => kind)).toEqual(
    expect.arrayContaining(['revision-gap', 'balance-mismatch']),
  );
});

test('an event id that occurs twice is found', async () => {
  const second = eventOf('req-2');
  log()[placeOf('req-2')] = { ...second, eventId: id('req-1') };
  expect(await found()).toContainEqual(['event-twice', id('req-1')]);
});

test('an event that names no actor is found', async () => {
  const recorded = eventOf('granted');
  const { actor: _, ...metadata } = recorded.metadata;
  log()[placeOf('granted')] = { ...recorded, metadata: metadata as Recorded['metadata'] };
  expect(await found()).toEqual([['metadata-missing', id('granted')]]);
});

test('an event that cannot be read as its type is found', async () => {
  tamper('req-2', ({ call: _, ...data }) => data);
  expect(await found()).toContainEqual(['unreadable', id('req-2')]);
});

test('an event in the stream of another account is found', async () => {
  tamper('budget', { userId: 43 });
  expect(await found()).toContainEqual(['wrong-stream', id('budget')]);
});

test('a request charged twice is found', async () => {
  const planted = await again('req-2');
  expect(await found()).toContainEqual(['charged-twice', planted]);
});

test('a request abandoned twice is found', async () => {
  const planted = await again('abandoned');
  expect(await found()).toEqual([['abandoned-twice', planted]]);
});

test('a request that failed and was charged is found', async () => {
  const data = { ...(eventOf('failed').event.data as Data), call: { requestId: 'req-1' } };
  const again = { type: 'RequestFailed', data };
  const planted = await plant('relay-relay-a', again, eventOf('failed'));
  expect(await found()).toEqual([['two-outcomes', planted]]);
});

test('a request that was charged and is abandoned afterwards is found', async () => {
  tamper('abandoned', { requestId: 'req-2' });
  expect(await found()).toEqual([['two-outcomes', id('abandoned')]]);
});

test('a refund of a request that was never charged is found', async () => {
  tamper('refunded', { requestId: 'req-3' });
  expect(await found()).toEqual([['refund-without-charge', id('refunded')]]);
});

test('refunds beyond the charge are found', async () => {
  const { balanceAfter } = eventOf('corrected').event.data as { balanceAfter: number };
  const data = eventOf('refunded').event.data as Data;
  const planted = await plant('account-42', {
    type: 'RequestRefunded',
    data: { ...data, amount: 3_000, balanceAfter: balanceAfter + 3_000 },
  });
  expect(await found()).toEqual([['refund-exceeds-charge', planted]]);
});

test('a lease that gives back more than it holds is found', async () => {
  tamper('returned', { unspent: 15_000 });
  expect(await found()).toEqual([['lease-amount', id('returned')]]);
});

test('a lease that is given back and was never taken is found', async () => {
  const planted = await again('returned');
  expect(await found()).toEqual([['lease-unknown', planted]]);
});

test('a lease that sets aside more than is free is found', async () => {
  tamper('budget', { remain: 19_999 });
  expect(await found()).toEqual([['lease-overdraws', id('leased')]]);
});

test('a lease left open is found, unless its relay is reported alive', async () => {
  log().splice(placeOf('returned'), 1);
  log()[placeOf('corrected')] = { ...eventOf('corrected'), revision: 12n };
  const report = await check();
  const leftOpen = ({ kind }: { kind: BreakKind }) => kind === 'lease-left-open';
  expect(report.breaks.filter(leftOpen).map(({ eventId }) => eventId)).toEqual([id('leased')]);
  const alive = await check({ aliveRelays: new Set(['relay-a']) });
  expect(alive.breaks.filter(leftOpen)).toEqual([]);
  const soon = await check({ clock: () => new Date('2026-03-01T08:05:00.000Z') });
  expect(soon.breaks.filter(leftOpen)).toEqual([]);
});

test('a code that is redeemed twice is found', async () => {
  const planted = await again('redeemed');
  expect(await found()).toEqual([['redeemed-twice', planted]]);
});

test('a code that is granted twice is found', async () => {
  const planted = await again('granted');
  expect(await found()).toContainEqual(['granted-twice', planted]);
});

test('a code that was redeemed and never granted is found', async () => {
  tamper('granted', { source: 'invitation' });
  expect(await found()).toEqual([['redemption-not-granted', id('redeemed')]]);
});

test('an order that was paid and never credited is found', async () => {
  tamper('bought', { source: 'invitation' });
  expect(await found()).toEqual([['payment-not-granted', id('paid')]]);
});

test('a payment of this moment may still wait for its credit', async () => {
  tamper('bought', { source: 'invitation' });
  const now = () => new Date('2026-03-01T08:00:30.000Z');
  const { breaks } = await check({ clock: now });
  expect(breaks.filter(({ kind }) => kind === 'payment-not-granted')).toEqual([]);
});

test('an order that was paid twice is found, and one that was credited twice', async () => {
  const paid = await again('paid');
  expect(await found()).toEqual([['paid-twice', paid]]);
  const credited = await again('bought');
  expect(await found()).toContainEqual(['granted-twice', credited]);
});

test('a credit for an order that was never paid is found', async () => {
  tamper('bought', { reference: 'USR42NOnobody1767225600' });
  expect(await found()).toContainEqual(['grant-without-payment', id('bought')]);
  expect(await found()).toContainEqual(['payment-not-granted', id('paid')]);
});

test('a credit of another sum than the order brings is found', async () => {
  tamper('paid', { quota: 5_600_001 });
  expect(await found()).toEqual([['paid-mismatch', id('paid')]]);
});

test('a payment of another sum than the order costs is found', async () => {
  tamper('paid', { paid: { amountMinor: 1, currency: 'CNY' } });
  expect(await found()).toEqual([['paid-mismatch', id('paid')]]);
});

test('an order whose price does not follow from its terms is found', async () => {
  tamper('ordered', { payable: { amountMinor: 1, currency: 'CNY' } });
  expect(await found()).toContainEqual(['order-mismatch', id('ordered')]);
});

test('a payment without an order is found', async () => {
  const tradeNo = 'USR42NOnobody1767225600';
  const planted = await plant(`topup-${tradeNo}`, aTopUpPaid({ tradeNo }));
  expect(await found()).toEqual([['paid-without-order', planted]]);
});

test('an order in the stream of another one is found', async () => {
  const { event } = eventOf('ordered');
  const planted = await plant('topup-USR42NOnobody1767225600', event);
  expect(await found()).toContainEqual(['wrong-stream', planted]);
});

test('a grant for a code that was never redeemed is found', async () => {
  tamper('granted', { reference: '999' });
  expect(await found()).toContainEqual(['grant-without-redemption', id('granted')]);
});

test('a correction of something that never was is found', async () => {
  tamper('corrected', { corrects: ['req-2', 'req-77'] });
  expect(await found()).toEqual([['correction-of-nothing', id('corrected')]]);
});

test('a person who remains and whose personal key is gone is found', async () => {
  await eventStore.tombstoneStream('personalKey-42');
  expect(await found()).toEqual([['personal-key-missing', id('user-42')]]);
});

test('a person who left and whose personal key is still there is found', async () => {
  const planted = await plant('user-42', {
    type: 'UserDeleted',
    data: { userId: 42, sessionEpoch: 1 },
  });
  expect(await found()).toEqual([['personal-key-left', planted]]);
  await eventStore.tombstoneStream('personalKey-42');
  expect(await found()).toEqual([]);
});

test('a process that claims to have read beyond the log is found', async () => {
  const planted = await plant('process-user-accounts', {
    type: 'ProcessAdvanced',
    data: { name: 'user-accounts', position: '999999' },
  });
  expect(await found()).toEqual([['checkpoint-ahead', planted]]);
});
