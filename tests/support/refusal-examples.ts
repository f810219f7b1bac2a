import type { CallsRefused, Refusal } from '../../domain/relay/refusals.ts';

/** 2026-03-01T08:00:00Z */
export const aQuarter = 1_772_352_000;

export const aRefusal = (changes: Partial<Refusal> = {}): Refusal => ({
  reason: 'model_not_found',
  userId: 42,
  tokenId: 1,
  model: 'gpt-none',
  quarter: aQuarter,
  count: 1,
  firstRequestId: 'req-1',
  lastRequestId: 'req-1',
  ...changes,
});

export const aCallsRefused = (...refusals: readonly Refusal[]): CallsRefused => ({
  type: 'CallsRefused',
  data: { relayId: 'relay-a', refusals },
});
