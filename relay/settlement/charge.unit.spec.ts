import { describe, expect, test } from 'vitest';
import type { TaskFacts } from '../../domain/task/events.ts';
import { boundTermsOf } from '../../tests/support/bound-examples.ts';
import { aRatioQuote, aUsage } from '../../tests/support/pricing-examples.ts';
import type { BookedCall, TaskCall } from '../admission/admitted.ts';
import type { LeaseBook } from '../admission/lease-book.ts';
import { type AcceptedTask, Charge } from './charge.ts';
import { Funding } from './funding.ts';
import type { FailedEntry, StartedEntry, UsedEntry } from './journal.ts';
import { noOutput } from './output-size.ts';

/** One unit for each token. */
const quote = aRatioQuote({ modelRatio: '1', completionRatio: '1' });
const startedAtMs = Date.parse('2026-03-01T08:00:00.250Z');
const facts = { channelId: 3, tried: [2, 3], upstreamModel: 'gpt-4o-mini', firstByteMs: 90 };
const journalled = {
  requestId: 'req-1',
  relayId: 'relay-a',
  tokenId: 70,
  channelId: 3,
  channelsTried: [2, 3],
  model: 'gpt-4o',
  upstreamModel: 'gpt-4o-mini',
  group: 'vip',
  path: '/v1/chat/completions',
  isStream: false,
  startedAt: '2026-03-01T08:00:00.250Z',
  durationMs: 1_500,
  firstByteMs: 90,
};

type Changes = Readonly<{ members?: object; limit?: number; elapsedMs?: number }>;

const booked = ({ members = {}, limit, elapsedMs = 1_500 }: Changes = {}) => {
  const records: (StartedEntry | UsedEntry | FailedEntry)[] = [];
  const settled: (readonly [string, number])[] = [];
  const counts: string[] = [];
  const example = limit === undefined ? { members } : { members, limit };
  const { call, allowanceOf, attempt, outputLimit, outputSize } = boundTermsOf(example);
  if (attempt === null) throw new Error('an answer has a channel');
  const reservation = { leaseId: 'lease', producerId: 5, userId: 7, tokenId: 70, reserved: 500 };
  const leaseBook = {
    settle: ({ leaseId }, amount) => settled.push([leaseId, amount]),
  } as Partial<LeaseBook> as LeaseBook;
  const core = {
    journal: {
      relayId: 'relay-a',
      started: (entry: StartedEntry) => records.push(entry),
      ended: (entry: UsedEntry | FailedEntry, onKept: () => void) => {
        records.push(entry);
        onKept();
      },
    },
    clock: () => new Date(startedAtMs + elapsedMs),
    counting: {
      billedPrompt: async ({ model }: { model: string }) => {
        counts.push(model);
        return 11;
      },
      billedText: async ({ text }: { text: string }) => text.length,
    },
  } as unknown as ConstructorParameters<typeof Charge>[0];
  const admitted = {
    requestId: 'req-1',
    caller: { account: { userId: 7 }, tokenId: 70 },
    call,
    path: '/v1/chat/completions',
    group: 'vip',
    quote,
    allowanceOf,
    reservation,
    startedAtMs,
  } as unknown as BookedCall;
  const funding = new Funding(leaseBook, { reservation, quote, coveredTokens: 100, outputLimit });
  const charge = new Charge(core, admitted, funding);
  return { charge, core, leaseBook, records, settled, counts, attempt, outputSize };
};

const used = { usage: aUsage(), source: 'upstream', note: null, end: 'complete' } as const;
const error = { status: 502, message: 'no answer', type: 'upstream_error', code: 'bad_gateway' };

describe('the one outcome of a request', () => {
  test('is booked by the first that claims it', () => {
    const { charge } = booked();
    expect(charge.isClaimed).toBe(false);
    expect(charge.claim()).toBe(true);
    expect(charge.claim()).toBe(false);
    expect(charge.isClaimed).toBe(true);
    expect(charge.isRecorded).toBe(false);
  });

  test('is announced with what it reserved', () => {
    const { charge, records, settled } = booked();
    charge.start();
    const { startedAt, requestId, tokenId } = journalled;
    const lease = { leaseId: 'lease', producerId: 5, reserved: 500 };
    const expected = { userId: 7, requestId, tokenId, ...lease, startedAt };
    expect(records).toEqual([expected]);
    expect([charge.isRecorded, settled]).toEqual([false, []]);
  });

  test('is a charge of 1,500 tokens, at a unit each', () => {
    const { charge, records, settled } = booked();
    let isWritten = false;
    charge.used(used, facts, () => {
      isWritten = true;
    });
    expect(records).toStrictEqual([
      {
        kind: 'used',
        userId: 7,
        leaseId: 'lease',
        producerId: 5,
        call: journalled,
        usage: aUsage(),
        usageSource: 'upstream',
        usageNote: null,
        end: 'complete',
        quote,
      },
    ]);
    expect(settled).toEqual([['lease', 1_500]]);
    expect([isWritten, charge.isRecorded]).toEqual([true, true]);
  });

  test('is a failure that costs nothing', () => {
    const { charge, records, settled } = booked();
    let isWritten = false;
    charge.failed({ error, status: 503 }, facts, () => {
      isWritten = true;
    });
    expect(records).toEqual([
      {
        kind: 'failed',
        userId: 7,
        call: journalled,
        statusCode: 503,
        errorType: 'upstream_error',
        errorCode: 'bad_gateway',
        message: 'no answer',
      },
    ]);
    expect(settled).toEqual([['lease', 0]]);
    expect([isWritten, charge.isRecorded]).toEqual([true, true]);
  });

  test('names no code where the error has none', () => {
    const { charge, records } = booked();
    charge.failed({ error: { ...error, code: null }, status: 503 }, facts, () => {});
    expect(records[0]).toMatchObject({ errorCode: '' });
  });

  test('names the model of the provider only where it is another', () => {
    const { charge, records } = booked();
    charge.used(used, { ...facts, upstreamModel: 'gpt-4o' }, () => {});
    expect(records[0]).toMatchObject({ call: { model: 'gpt-4o', upstreamModel: null } });
  });

  test('took no time by a clock that was set back', () => {
    const { charge, records } = booked({ elapsedMs: -5 });
    charge.used(used, facts, () => {});
    expect(records[0]).toMatchObject({ call: { durationMs: 0 } });
  });

  test('contains the requested reasoning effort', () => {
    const { charge, records } = booked({ members: { reasoning_effort: 'high' } });
    charge.used(used, facts, () => {});
    expect(records[0]).toMatchObject({ call: { reasoningEffort: 'high' } });
  });
});

describe('the report of a provider', () => {
  const report = { promptTokens: 20, completionTokens: 4 };
  const usage = { ...report, cachedTokens: 0, cacheCreationTokens: 0 };

  test('is taken as it is', () => {
    const { charge, attempt, outputSize } = booked();
    expect(charge.bounded(report, { attempt, outputSize })).toEqual({ usage, note: null });
  });
  test('is cut to the limit of the caller', () => {
    const { charge, attempt, outputSize } = booked({ limit: 100 });
    const result = charge.bounded({ ...report, completionTokens: 9_000 }, { attempt, outputSize });
    expect(result?.usage.completionTokens).toBe(174);
  });
  test('is none where it is missing or empty', () => {
    const { charge, attempt, outputSize } = booked();
    expect(charge.bounded(null, { attempt, outputSize })).toBeNull();
    const lie = { promptTokens: -1, completionTokens: 0 };
    expect(charge.bounded(lie, { attempt, outputSize: noOutput })).toBeNull();
  });
});

const task: TaskFacts = {
  ...{ taskId: 'req-1', userId: 7, tokenId: 70, channelId: 2, model: 'gpt-4o', group: 'vip' },
  ...{ prompt: '', state: '', properties: '', submittedAt: journalled.startedAt },
  platform: 'batch',
  action: 'BATCH',
};
const accepted: AcceptedTask = {
  kind: 'accepted',
  platform: 'batch',
  ...{ taskId: 'req-1', userId: 7, channelId: 3, code: 0, upstreamId: 'up-1', quota: 1_500 },
  ...{ description: '', properties: '', report: null, acceptedAt: '2026-03-01T08:00:01.750Z' },
};

describe('a call that submits a task', () => {
  const submitted = (reservation: BookedCall['reservation'] | null) => {
    const { core, records, leaseBook, settled } = booked();
    const ended: number[] = [];
    const permit = { ended: (tokens: number) => ended.push(tokens), used() {}, cancelled() {} };
    const call = { model: 'gpt-4o', isStream: false } as const;
    const caller = { account: { userId: 7 }, tokenId: 70 } as unknown as BookedCall['caller'];
    const own = { requestId: 'req-1', path: '/v1/batches', group: 'vip', quote, startedAtMs };
    const options = { quote, coveredTokens: 0, outputLimit: null };
    const charge = new Charge<TaskCall>(
      core,
      { ...own, caller, call, permit, reservation, task },
      reservation && new Funding(leaseBook, { reservation, ...options }),
    );
    charge.start();
    return { charge, records, settled, ended };
  };
  const reservation = { leaseId: 'lease', producerId: 5, userId: 7, tokenId: 70, reserved: 500 };

  test('has its facts in both records, and the outcome in the second', async () => {
    const { charge, records, settled, ended } = submitted(reservation);
    expect(await charge.whenUsed({ ...used, outcome: accepted }, facts)).toBe(1_500);
    const named = { platform: 'batch', action: 'BATCH', upstreamId: 'up-1' };
    expect(records).toMatchObject([
      { leaseId: 'lease', reserved: 500, task: { facts: task, outcome: null } },
      { kind: 'used', call: { task: named }, task: { facts: task, outcome: accepted } },
    ]);
    expect([settled, ended]).toEqual([[['lease', 1_500]], [1_500]]);
  });

  test('takes no tokens of this minute for requests that are carried out later', async () => {
    const { charge, ended } = submitted(reservation);
    const usage = { ...used.usage, batchRequests: 2 };
    await charge.whenUsed({ ...used, usage, outcome: accepted }, facts);
    expect(ended).toEqual([0]);
  });

  test('reserves nothing where it is free, and costs nothing where it is refused', async () => {
    const { charge, records, settled, ended } = submitted(null);
    const outcome = { kind: 'refused', code: 3, reason: 'no account' } as const;
    await charge.whenFailed({ error, status: 502, outcome }, facts);
    expect(records).toMatchObject([
      { leaseId: null, producerId: null, reserved: 0 },
      { kind: 'failed', errorCode: 'bad_gateway', task: { facts: task, outcome } },
    ]);
    expect([settled, ended, charge.isClaimed]).toEqual([[], [0], true]);
  });
});

describe('an answer without a report', () => {
  test('is counted by the table of the model that answered', async () => {
    const { charge, counts, attempt, outputSize } = booked();
    const answered = { attempt: { ...attempt, upstreamModel: 'other' }, outputSize };
    expect(await charge.counted('twelve chars', answered)).toMatchObject({
      promptTokens: 11,
      completionTokens: 12,
    });
    await charge.counted('', { attempt: { ...attempt, upstreamModel: '' }, outputSize });
    expect(counts).toEqual(['other', 'gpt-4o']);
  });
});
