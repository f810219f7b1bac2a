import type { BillingCase } from './billing-cases.ts';
import { f, plus, times } from './fractions.ts';

const model = 'gemini-2.0-flash';
const made = { promptTokens: 5_000, cacheCreationTokens: 5_000 } as const;

/** Context caches: what is read in when they are made, and calls that read them. */
export const cacheCases: readonly BillingCase[] = [
  {
    kind: 'a context cache that is made',
    model,
    usage: made,
    due: times(f('0.05'), f('1.25'), 5_000),
    byRatio: true,
  },
  {
    kind: 'a context cache at a ratio of the channel',
    model,
    usage: made,
    ask: { cacheCreationRatio: '4.6' },
    due: times(f('0.05'), f('4.6'), 5_000),
    byRatio: true,
  },
  {
    kind: 'a context cache of a model with a price for the call',
    model: 'per-call',
    usage: made,
    ask: { cacheCreationRatio: '4.6' },
    due: times(f('0.0123'), 500_000),
  },
  {
    kind: 'a call that reads a context cache',
    model,
    usage: { promptTokens: 5_020, cachedTokens: 5_000, completionTokens: 7 },
    due: times(f('0.05'), plus(f('20'), times(5_000, f('0.25')), f('28'))),
    byRatio: true,
  },
];
