import type { Usage } from '../../domain/pricing/types.ts';
import type { BillingCase } from './billing-cases.ts';
import { type Fraction, f, plus, times } from './fractions.ts';

/*
 * Work that is charged when its provider takes it, and of which part or all is given back later:
 * worked out here with fractions of whole numbers and nothing of the code under test.
 */

type TaskEnd =
  | Readonly<{ kind: 'failed' }>
  /** It ended well. `usage` absent: there is none to settle it by. */
  | Readonly<{ kind: 'done'; usage?: Partial<Usage> }>;

export type TaskBillingCase = Omit<BillingCase, 'due'> &
  Readonly<{
    platform: 'video' | 'batch' | 'cache';
    end: TaskEnd;
    /** Quota units before the group's ratio and the rounding: of the charge, and what stays of it. */
    charged: Fraction;
    stays: Fraction;
  }>;

const nothing = f('0');

const video = (
  kind: string,
  own: Pick<TaskBillingCase, 'model' | 'videoSize' | 'usage' | 'end' | 'charged' | 'stays'>,
): TaskBillingCase => ({ kind, platform: 'video', ...own });

/** 8 s · 0.5 USD · 500,000 units for a USD. */
const large = times(f('0.5'), 8, 500_000);
const ofLarge = {
  model: 'sora-2-pro',
  videoSize: '1792x1024',
  usage: { videoSeconds: 8 },
  charged: large,
} as const;
/** 7 s · 0.0567 USD: no whole number of units in most groups. */
const odd = times(f('0.0567'), 7, 500_000);
const ofOdd = {
  model: 'own-video',
  videoSize: '1280x720',
  usage: { videoSeconds: 7 },
  charged: odd,
} as const;
const veo = times(f('0.4'), 8, 500_000);
const ofVeo = {
  model: 'veo-3.1-generate-preview',
  videoSize: '1280x720',
  usage: { videoSeconds: 8 },
  charged: veo,
} as const;

const batch = (
  kind: string,
  own: Pick<TaskBillingCase, 'model' | 'usage' | 'ask' | 'end' | 'charged' | 'stays'>,
): TaskBillingCase => ({ kind, platform: 'batch', byRatio: true, ...own });

/** (prompt + answer · 4) · 0.075 · ratio of the batch. */
const small = (promptTokens: number, completionTokens: number): Fraction =>
  times(plus(f(String(promptTokens)), times(4, completionTokens)), f('0.075'), f('0.5'));
const ofSmall = {
  model: 'gpt-4o-mini',
  usage: { batchRequests: 3, promptTokens: 301, completionTokens: 3_000 },
  ask: { batchRatio: '0.5' },
  charged: small(301, 3_000),
} as const;
/** 0.0123 USD for a call · ratio of the batch. */
const calls = (count: number): Fraction => times(f('0.0123'), count, 500_000, f('0.5'));
const ofCalls = {
  model: 'per-call',
  usage: { batchRequests: 7, promptTokens: 301, completionTokens: 77 },
  ask: { batchRatio: '0.5' },
  charged: calls(7),
} as const;

/** 5,000 tokens · 0.05 · 1.25: its storage is not charged, and so nothing of it comes back. */
const cache: TaskBillingCase = {
  kind: 'a context cache that is made',
  platform: 'cache',
  model: 'gemini-2.0-flash',
  usage: { promptTokens: 5_000, cacheCreationTokens: 5_000 },
  byRatio: true,
  end: { kind: 'done' },
  charged: times(f('0.05'), f('1.25'), 5_000),
  stays: times(f('0.05'), f('1.25'), 5_000),
};

export const taskBillingCases: readonly TaskBillingCase[] = [
  cache,
  video('a video that is made', { ...ofLarge, end: { kind: 'done' }, stays: large }),
  video('a video that fails', { ...ofLarge, end: { kind: 'failed' }, stays: nothing }),
  video('a video at a price with a remainder', { ...ofOdd, end: { kind: 'done' }, stays: odd }),
  video('a video at a price with a remainder, that fails', {
    ...ofOdd,
    end: { kind: 'failed' },
    stays: nothing,
  }),
  video('a video of Veo that is made', { ...ofVeo, end: { kind: 'done' }, stays: veo }),
  video('a video of Veo that is held back', { ...ofVeo, end: { kind: 'failed' }, stays: nothing }),
  video('a video whose use is reported: it is paid for what was asked', {
    ...ofLarge,
    end: { kind: 'done', usage: { videoSeconds: 4 } },
    stays: large,
  }),
  batch('a batch that used less than its estimate', {
    ...ofSmall,
    end: { kind: 'done', usage: { batchRequests: 3, promptTokens: 271, completionTokens: 21 } },
    stays: small(271, 21),
  }),
  batch('a batch that used its estimate', {
    ...ofSmall,
    end: { kind: 'done', usage: ofSmall.usage },
    stays: small(301, 3_000),
  }),
  batch('a batch that used more than its estimate', {
    ...ofSmall,
    end: { kind: 'done', usage: { batchRequests: 3, promptTokens: 999, completionTokens: 3_000 } },
    stays: small(301, 3_000),
  }),
  batch('a batch that expired after one answer', {
    ...ofSmall,
    end: { kind: 'done', usage: { batchRequests: 1, promptTokens: 90, completionTokens: 7 } },
    stays: small(90, 7),
  }),
  batch('a batch of which nothing was answered', {
    ...ofSmall,
    end: { kind: 'done', usage: { batchRequests: 0 } },
    stays: nothing,
  }),
  batch('a batch whose results are gone', {
    ...ofSmall,
    end: { kind: 'done' },
    stays: small(301, 3_000),
  }),
  batch('a batch that fails', { ...ofSmall, end: { kind: 'failed' }, stays: nothing }),
  batch('a batch of calls at a price, some of them answered', {
    ...ofCalls,
    end: { kind: 'done', usage: { batchRequests: 5, promptTokens: 200, completionTokens: 50 } },
    stays: calls(5),
  }),
  batch('a batch of calls at a price that fails', {
    ...ofCalls,
    end: { kind: 'failed' },
    stays: nothing,
  }),
];
