import type { BillingCase } from './billing-cases.ts';
import { f, plus, times } from './fractions.ts';

const discount = (batchRatio: string) => ({ ask: { batchRatio } });

/** What the calls cost one by one, times the ratio of the batch, rounded once for all of them. */
export const batchCases: readonly BillingCase[] = [
  {
    kind: 'a batch at half the price',
    model: 'gpt-4o-mini',
    usage: { batchRequests: 3, promptTokens: 301, completionTokens: 77 },
    ...discount('0.5'),
    due: times(plus(times(f('0.075'), 301), times(f('0.075'), f('4'), 77)), f('0.5')),
    byRatio: true,
  },
  {
    kind: 'a batch that read from the cache',
    model: 'gpt-4o',
    usage: { batchRequests: 2, promptTokens: 1_000, cachedTokens: 600, completionTokens: 10 },
    ...discount('0.5'),
    due: times(
      plus(times(f('1.25'), 400), times(f('1.25'), f('0.5'), 600), times(f('1.25'), f('4'), 10)),
      f('0.5'),
    ),
    byRatio: true,
  },
  {
    kind: 'a batch at a ratio of the channel',
    model: 'own-model',
    usage: { batchRequests: 1, promptTokens: 13, completionTokens: 7 },
    ...discount('0.35'),
    due: times(plus(times(f('3.7'), 13), times(f('3.7'), f('2.5'), 7)), f('0.35')),
    byRatio: true,
  },
  {
    kind: 'a batch of a model with a price for the call',
    model: 'per-call',
    usage: { batchRequests: 7, promptTokens: 301, completionTokens: 77 },
    ...discount('0.5'),
    due: times(f('0.0123'), 7, 500_000, f('0.5')),
  },
  {
    kind: 'a batch of which nothing was answered',
    model: 'gpt-4o',
    usage: { batchRequests: 0 },
    ...discount('0.5'),
    due: f('0'),
  },
];
