import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aStartedRecord, aUsedRecord } from '../../tests/support/account-examples.ts';
import type { FailedEntry, StartedEntry, UsedEntry } from './journal.ts';
import { endedText, startedText } from './record-text.ts';

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
    webSearches: whole,
    fileSearches: whole,
  },
  { requiredKeys: ['promptTokens', 'completionTokens', 'cachedTokens', 'cacheCreationTokens'] },
);
const parsed = (text: string): unknown => JSON.parse(`{${text}`);

test('a used request is written as JSON writes it, whatever its names hold', () => {
  const { relayId: _r, sequence: _s, ...example } = aUsedRecord({});
  fc.assert(
    fc.property(call, usage, orNull(anyText), orNull(anyText), (facts, used, leaseId, note) => {
      const entry: UsedEntry = { ...example, call: facts, usage: used, leaseId, usageNote: note };
      expect(parsed(endedText(entry))).toEqual(JSON.parse(JSON.stringify(entry)));
    }),
  );
});

test('a started request is written as JSON writes it', () => {
  const { kind, relayId: _r, sequence: _s, ...example } = aStartedRecord({});
  fc.assert(
    fc.property(anId, orNull(anyText), whole, (requestId, leaseId, reserved) => {
      const entry: StartedEntry = { ...example, requestId, leaseId, reserved };
      expect(parsed(startedText(entry))).toEqual({ kind, ...entry });
    }),
  );
});

test('a failed request is written as JSON writes it', () => {
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
      expect(parsed(endedText(entry))).toEqual(JSON.parse(JSON.stringify(entry)));
    }),
  );
});
