import type { AccountEvent, RequestCharged } from '../../domain/account/events.ts';
import { price } from '../../domain/pricing/price.ts';

type EventOf<Type extends AccountEvent['type']> = Extract<AccountEvent, { type: Type }>;

const call: RequestCharged['data']['call'] = {
  requestId: 'req-100',
  relayId: 'relay-a',
  tokenId: 7,
  channelId: 3,
  channelsTried: [5, 3],
  model: 'gpt-4o',
  upstreamModel: null,
  group: 'default',
  path: '/v1/chat/completions',
  isStream: true,
  startedAt: '2026-03-01T08:00:00.000Z',
  durationMs: 1_400,
  firstByteMs: 230,
};

type Changes = Partial<Omit<RequestCharged['data'], 'call'>> &
  Readonly<{ call?: Partial<RequestCharged['data']['call']> }>;

/** 1,000 prompt tokens, 200 of them cached, 500 out: 3,625 units at the default price of gpt-4o. */
export const aRequestCharged = (changes: Changes = {}): RequestCharged => {
  const usage = changes.usage ?? {
    promptTokens: 1_000,
    completionTokens: 500,
    cachedTokens: 200,
    cacheCreationTokens: 0,
  };
  const quote = changes.quote ?? {
    kind: 'ratio',
    model: 'gpt-4o',
    modelRatio: '1.25',
    completionRatio: '4',
    cacheRatio: '0.5',
    cacheCreationRatio: '1.25',
    groupRatio: '1',
  };
  return {
    type: 'RequestCharged',
    data: {
      userId: 42,
      leaseId: 'relay-a.42.7',
      usageSource: 'upstream',
      usageNote: null,
      end: 'complete',
      amount: price(usage, quote),
      sequence: 1,
      balanceAfter: 496_375,
      ...changes,
      usage,
      quote,
      call: { ...call, ...changes.call },
    },
  };
};

export const anAccountOpened = (userId = 42): EventOf<'AccountOpened'> => ({
  type: 'AccountOpened',
  data: { userId },
});

export const aQuotaGranted = (
  changes: Partial<EventOf<'QuotaGranted'>['data']> = {},
): EventOf<'QuotaGranted'> => ({
  type: 'QuotaGranted',
  data: {
    userId: 42,
    amount: 500_000,
    source: 'registration',
    reference: '42',
    balanceAfter: 500_000,
    ...changes,
  },
});

export const aQuotaAdjusted = (
  changes: Partial<EventOf<'QuotaAdjusted'>['data']> = {},
): EventOf<'QuotaAdjusted'> => ({
  type: 'QuotaAdjusted',
  data: {
    userId: 42,
    delta: -1_000,
    seen: 496_375,
    reason: { kind: 'set-by-admin', note: null },
    balanceAfter: 495_375,
    ...changes,
  },
});
