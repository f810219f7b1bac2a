import { expect, test } from 'vitest';
import type { AccountEvent, RequestCharged } from '../../../domain/account/events.ts';
import { aRequestCharged } from '../../support/account-events.ts';
import type { Served } from '../listing-provider.ts';
import type { Seen } from '../load.ts';
import { dueFor, numberOf, planOf, tokensOf } from '../numbered-call.ts';
import { sumOf } from './account.ts';
import { type CallFindings, compareCalls, type Evidence } from './calls.ts';

const userId = 42;
const tokenId = 7;

const seenOf = (n: number, changes: Partial<Seen> = {}): Seen => ({
  n,
  userId,
  tokenId,
  relay: 0,
  sentAt: 1_000 * n,
  endedAt: 1_000 * n + 500,
  status: 200,
  requestId: `request-${n}`,
  complete: true,
  code: '',
  ...changes,
});

const servedOf = (n: number, state: Served['state'] = 'whole'): Served => ({
  plan: planOf(n),
  state,
  times: 1,
});

const chargeOf = (n: number, amount = dueFor(planOf(n))): RequestCharged => {
  const { prompt, output, cached } = tokensOf(n);
  return aRequestCharged({
    amount,
    usage: {
      promptTokens: prompt,
      completionTokens: output,
      cachedTokens: cached,
      cacheCreationTokens: 0,
    },
    call: { requestId: `request-${n}`, tokenId, model: planOf(n).model },
  });
};

const abandonedOf = (requestId: string): AccountEvent => ({
  type: 'RequestAbandoned',
  data: { userId, requestId, relayId: 'relay-1', tokenId, leaseId: null, reserved: 10 },
});

type Given = Readonly<{
  seen: readonly Seen[];
  served: readonly Served[];
  events: readonly AccountEvent[];
  kills?: readonly number[];
}>;

const findings = ({ seen, served, events, kills = [] }: Given): CallFindings => {
  const evidence: Evidence = {
    seen,
    served: new Map(served.map((entry) => [entry.plan.n, entry])),
    accounts: new Map([[userId, sumOf(events.map((event) => ({ event, seenAt: 0 })))]]),
    failed: new Map(),
    kills: [kills],
  };
  const { lost, doubled, unaccounted, wrongAmounts, unfounded } = compareCalls(evidence);
  return { lost, doubled, unaccounted, wrongAmounts, unfounded };
};

const none = { lost: [], doubled: [], unaccounted: [], wrongAmounts: [], unfounded: [] };

test('the usage of a call identifies the call', () => {
  for (const n of [0, 1, 199, 200, 9_999, 10_000, 33_333]) {
    expect(numberOf(tokensOf(n))).toBe(n);
  }
  expect(numberOf({ prompt: 3, output: 1, cached: 0 })).toBeNull();
});

test('calls that are charged once with what is due are in order', () => {
  const given = { seen: [seenOf(1), seenOf(2)], served: [servedOf(1), servedOf(2)] };
  expect(findings({ ...given, events: [chargeOf(1), chargeOf(2)] })).toEqual(none);
});

test('a call without a charge, one with two and one with another amount are found', () => {
  const numbers = [1, 2, 7];
  const found = findings({
    seen: numbers.map((n) => seenOf(n)),
    served: numbers.map((n) => servedOf(n)),
    events: [chargeOf(2), chargeOf(2), chargeOf(7, 1)],
  });
  expect(found).toMatchObject({
    lost: [expect.stringContaining('call 1')],
    doubled: [expect.stringContaining('call 2')],
    wrongAmounts: [expect.stringContaining('call 7')],
  });
});

test('what the provider served is missed, even where no client saw the whole answer', () => {
  const unseen = seenOf(1, { status: null, requestId: '', complete: false });
  const given = { seen: [unseen], served: [servedOf(1)] };
  expect(findings({ ...given, events: [] }).lost).toHaveLength(1);
  expect(findings({ ...given, events: [abandonedOf('unknown')] }).lost).toHaveLength(1);
  const killed = { ...given, events: [abandonedOf('unknown')], kills: [unseen.sentAt + 100] };
  expect(findings(killed)).toEqual(none);
});

test('a relay may be killed after the client has left, while it reads on', () => {
  const left = seenOf(19, { complete: false });
  const given = { seen: [left], served: [servedOf(19, 'part')], kills: [left.endedAt + 2_000] };
  expect(findings({ ...given, events: [abandonedOf('request-19')] })).toEqual(none);
  expect(findings({ ...given, events: [] }).lost).toHaveLength(1);
});

test('a request given up explains one call alone', () => {
  const unseen = { status: null, requestId: '', complete: false };
  const found = findings({
    seen: [seenOf(1, unseen), seenOf(2, { ...unseen, sentAt: 1_000, endedAt: 1_500 })],
    served: [servedOf(1), servedOf(2)],
    events: [abandonedOf('unknown')],
    kills: [1_100],
  });
  expect(found.lost).toHaveLength(1);
});

test('a charge for what was not served, or to another customer, is found', () => {
  const other = seenOf(2, { userId: 43 });
  const found = findings({
    seen: [seenOf(1), other],
    served: [servedOf(2)],
    events: [chargeOf(1), chargeOf(2)],
  });
  expect(found.unfounded).toHaveLength(2);
});

test('a late charge explains as much overdraft as it takes, and no more', () => {
  const grant: AccountEvent = {
    type: 'QuotaGranted',
    data: { userId, amount: 100, source: 'setup', reference: '1', balanceAfter: 100 },
  };
  const below = (events: readonly AccountEvent[]) =>
    sumOf(events.map((event) => ({ event, seenAt: 0 }))).overdraft;
  expect(below([grant, chargeOf(1, 130)])).toMatchObject({ below: 30, unexplained: 30 });
  const late = [grant, abandonedOf('request-1'), chargeOf(2, 100), chargeOf(1, 20)];
  expect(below(late)).toMatchObject({ below: 20, unexplained: 0 });
});
