import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aStartedRecord, aUsedRecord } from '../../tests/support/account-examples.ts';
import type { FailedEntry, StartedEntry, UsedEntry } from './journal.ts';
import { endedText, idleText, producerEndedText, startedText } from './record-text.ts';

const whole = fc.nat();
const anyText = fc.string({ unit: 'binary' });
/** As the relay makes them. */
const anId = fc.stringMatching(/^[\dA-Za-z-]+$/);
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

const call = fc.record(
  {
    requestId: anId,
    relayId: anyText,
    tokenId: whole,
    channelId: whole,
    channelsTried: fc.array(whole),
    model: anyText,
    upstreamModel: orNull(anyText),
    group: anyText,
    path: anyText,
    isStream: fc.boolean(),
    startedAt: fc.constant('2026-01-01T00:00:00.000Z'),
    durationMs: whole,
    firstByteMs: orNull(whole),
    reasoningEffort: anyText,
  },
  {
    requiredKeys: [
      ...(['requestId', 'relayId', 'tokenId', 'channelId'] as const),
      ...(['channelsTried', 'model', 'upstreamModel', 'group', 'path', 'isStream'] as const),
      ...(['startedAt', 'durationMs', 'firstByteMs'] as const),
    ],
  },
);
const usage = fc.record(
  {
    promptTokens: whole,
    completionTokens: whole,
    cachedTokens: whole,
    cacheCreationTokens: whole,
    cacheApart: fc.constant(true as const),
    audioInputTokens: whole,
    cachedAudioTokens: whole,
    audioOutputTokens: whole,
    imageInputTokens: whole,
    pictures: whole,
    videoSeconds: whole,
    webSearches: whole,
    fileSearches: whole,
  },
  { requiredKeys: ['promptTokens', 'completionTokens', 'cachedTokens', 'cacheCreationTokens'] },
);
const producer = orNull(fc.nat());
const parsed = (text: string): unknown => JSON.parse(`{${text}`);
/** The record's placeholder for the producer. */
const numbered = (producerId: number | null, number: number) =>
  producerId === null ? {} : { usageNumber: { producerId, number } };

test('a used request is written as JSON writes it, whatever its names hold', () => {
  const { relayId: _r, sequence: _s, usageNumber: _n, ...example } = aUsedRecord({});
  fc.assert(
    fc.property(call, usage, orNull(anyText), orNull(anyText), producer, (...drawn) => {
      const [facts, used, leaseId, usageNote, producerId] = drawn;
      const rest = { ...example, call: facts, usage: used, leaseId, usageNote };
      const entry: UsedEntry = { ...rest, producerId };
      const expected = JSON.stringify({ ...rest, ...numbered(producerId, 12) });
      expect(parsed(endedText(entry, 12))).toEqual(JSON.parse(expected));
    }),
  );
});

test('a started request is written as JSON writes it', () => {
  const { kind, relayId: _r, sequence: _s, ...example } = aStartedRecord({});
  fc.assert(
    fc.property(anId, orNull(anyText), whole, producer, (requestId, leaseId, reserved, given) => {
      const rest = { ...example, requestId, leaseId, reserved };
      const entry: StartedEntry = { ...rest, producerId: given };
      const expected = given === null ? rest : { ...rest, producerId: given };
      expect(parsed(startedText(entry))).toEqual({ kind, ...expected });
    }),
  );
});

test('a failed request is written as JSON writes it, without a number', () => {
  fc.assert(
    fc.property(call, anyText, (facts, message) => {
      const entry: FailedEntry = {
        kind: 'failed',
        userId: 7,
        call: facts,
        statusCode: 502,
        errorType: 'upstream_error',
        errorCode: 'bad',
        message,
      };
      expect(parsed(endedText(entry, 0))).toEqual(JSON.parse(JSON.stringify(entry)));
    }),
  );
});

test('an idle lease and the end of a producer are written as JSON writes them', () => {
  fc.assert(
    fc.property(anyText, whole, whole, fc.boolean(), (leaseId, unspent, producerId, closes) => {
      const lease = { userId: 7, leaseId, unspent, closes };
      expect(parsed(idleText({ ...lease, producerId }, 3))).toEqual({
        kind: 'lease-idle',
        ...lease,
        ...numbered(producerId, 3),
      });
    }),
  );
  const ended = { userId: 7, producerId: 4, last: 9, lastSequence: 31, open: 0, before: null };
  expect(parsed(producerEndedText(ended))).toEqual({
    kind: 'producer-ended',
    userId: 7,
    producerId: 4,
    last: 9,
  });
});
