import type { ExtraAsk } from '../../domain/pricing/quote.ts';
import type { Usage } from '../../domain/pricing/types.ts';
import { audioCases } from './audio-billing-cases.ts';
import { batchCases } from './batch-billing-cases.ts';
import { cacheCases } from './cache-billing-cases.ts';
import { type Fraction, f, plus, times } from './fractions.ts';
import { videoCases, videoPrices } from './video-billing-cases.ts';

/*
 * Every kind of price, in every group: the rules of `infra/reference/money-rules.md`, computed here
 * with fractions of whole numbers and nothing of the code under test.
 */

export const billingGroups = { default: '1', vip: '0.8', svip: '0.333', free: '0' } as const;
export type BillingGroup = keyof typeof billingGroups;
const perUsd = 500_000;

const modelPrices = { 'dall-e-3': 0.04, 'dall-e-2': 0.02, 'per-call': 0.0123, ...videoPrices };
/** The operator's settings in addition to the defaults. */
export const billingOptions = new Map(
  Object.entries({
    GroupRatio: JSON.stringify({ default: 1, vip: 0.8, svip: 0.333, free: 0 }),
    ModelPrice: JSON.stringify(modelPrices),
    ModelRatio: JSON.stringify({
      'gpt-4o': 1.25,
      'gpt-4o-mini': 0.075,
      'claude-3-5-sonnet-20241022': 1.5,
      'gpt-4o-audio-preview': 1.25,
      'gpt-4o-realtime-preview': 2.5,
      'gpt-4o-search-preview': 1.25,
      'gpt-4o-mini-search-preview': 0.075,
      'gpt-image-1': 2.5,
      'drawing-by-ratio': 8,
      'tts-1': 7.5,
      'gpt-4o-mini-tts': 0.3,
      'whisper-1': 15,
      'text-embedding-3-small': 0.01,
      'jina-reranker-v2': 0.01,
      'gemini-live-2.5-flash-preview': 0.25,
      'gemini-2.0-flash': 0.05,
      'own-model': 3.7,
      'free-model': 0,
    }),
    CompletionRatio: JSON.stringify({
      'gpt-image-1': 8,
      'own-model': 2.5,
      'gemini-2.0-flash': 4,
    }),
    AudioRatio: JSON.stringify({ 'gemini-live-2.5-flash-preview': 6 }),
    AudioCompletionRatio: JSON.stringify({ 'gemini-live-2.5-flash-preview': 4 }),
    CacheRatio: JSON.stringify({
      'gpt-4o': 0.5,
      'claude-3-5-sonnet-20241022': 0.1,
      'gpt-4o-realtime-preview': 0.5,
      'gemini-2.0-flash': 0.25,
    }),
  }),
);
export type BillingCase = Readonly<{
  kind: string;
  model: string;
  usage: Partial<Usage>;
  ask?: ExtraAsk;
  /** Of a video: the size that it is made in. */
  videoSize?: string;
  /** Quota units before the group's ratio and the rounding. */
  due: Fraction;
  /** Costs one unit at least where the price is above 0. */
  byRatio?: true;
}>;

const ratioCase = (
  kind: string,
  model: string,
  own: Omit<BillingCase, 'kind' | 'model'>,
): BillingCase => ({
  kind,
  model,
  byRatio: true,
  ...own,
});

const size = (text: string, quality = '', model = 'dall-e-3'): ExtraAsk => ({
  picture: { size: text, quality, upstreamModel: model },
});

export const billingCases: readonly BillingCase[] = [
  // Text: (prompt − cached) + cached·K + completion·C, times M.
  ratioCase('text', 'gpt-4o', {
    usage: { promptTokens: 1000, completionTokens: 500 },
    due: times(1000 + 500 * 4, f('1.25')),
  }),
  ratioCase('text, small model', 'gpt-4o-mini', {
    usage: { promptTokens: 1000, completionTokens: 500 },
    due: times(1000 + 500 * 4, f('0.075')),
  }),
  ratioCase('text of one token', 'gpt-4o-mini', {
    usage: { promptTokens: 1 },
    due: f('0.075'),
  }),
  ratioCase('text with cached reads', 'gpt-4o', {
    usage: { promptTokens: 1000, cachedTokens: 200, completionTokens: 500 },
    due: times(plus(f('800'), times(200, f('0.5')), f('2000')), f('1.25')),
  }),
  ratioCase('text all cached', 'gpt-4o', {
    usage: { promptTokens: 777, cachedTokens: 777, completionTokens: 1 },
    due: times(plus(times(777, f('0.5')), f('4')), f('1.25')),
  }),
  ratioCase('text with cache writes inside the prompt', 'gpt-4o', {
    usage: { promptTokens: 1000, cachedTokens: 100, cacheCreationTokens: 300 },
    due: times(plus(f('600'), times(100, f('0.5')), times(300, f('1.25'))), f('1.25')),
  }),
  ratioCase('text with cache counts beside the prompt', 'claude-3-5-sonnet-20241022', {
    usage: {
      promptTokens: 100,
      cachedTokens: 1000,
      cacheCreationTokens: 400,
      completionTokens: 200,
      cacheApart: true,
    },
    due: times(plus(f('100'), times(1000, f('0.1')), times(400, f('1.25')), f('1000')), f('1.5')),
  }),
  ratioCase('cache reads alone, beside the prompt', 'claude-3-5-sonnet-20241022', {
    usage: { cachedTokens: 5000, completionTokens: 1, cacheApart: true },
    due: times(plus(times(5000, f('0.1')), f('5')), f('1.5')),
  }),
  ratioCase('text at a completion ratio of the operator', 'own-model', {
    usage: { promptTokens: 333, completionTokens: 77 },
    due: times(plus(f('333'), times(77, f('2.5'))), f('3.7')),
  }),
  ratioCase('text of a free model', 'free-model', {
    usage: { promptTokens: 1000, completionTokens: 500 },
    due: f('0'),
  }),
  // Per call.
  {
    kind: 'a fixed price per call',
    model: 'per-call',
    usage: { promptTokens: 9, completionTokens: 9 },
    due: times(f('0.0123'), perUsd),
  },
  {
    kind: 'a fixed price, whatever was cached or heard',
    model: 'per-call',
    usage: { promptTokens: 900, cachedTokens: 800, audioInputTokens: 50 },
    due: times(f('0.0123'), perUsd),
  },
  ...audioCases,
  // Input pictures: ((prompt − i) + i·I + completion·C) · M.
  ratioCase('picture tokens', 'gpt-image-1', {
    usage: { promptTokens: 300, imageInputTokens: 200, completionTokens: 1056, pictures: 1 },
    ask: size('1024x1024', 'medium', 'gpt-image-1'),
    due: times(100 + 200 * 2 + 1056 * 8, f('2.5')),
  }),
  // Pictures that were made: P · size · quality · n.
  {
    kind: 'a picture',
    model: 'dall-e-3',
    usage: { pictures: 1 },
    ask: size('1024x1024', 'standard'),
    due: times(f('0.04'), perUsd),
  },
  {
    kind: 'a square picture in high quality',
    model: 'dall-e-3',
    usage: { pictures: 1 },
    ask: size('1024x1024', 'hd'),
    due: times(f('0.04'), 2, perUsd),
  },
  {
    kind: 'a tall picture in high quality',
    model: 'dall-e-3',
    usage: { pictures: 1 },
    ask: size('1024x1792', 'hd'),
    due: times(f('0.04'), 2, f('1.5'), perUsd),
  },
  {
    kind: 'wide pictures',
    model: 'dall-e-3',
    usage: { pictures: 3 },
    ask: size('1792x1024'),
    due: times(f('0.04'), 2, 3, perUsd),
  },
  {
    kind: 'small pictures',
    model: 'dall-e-2',
    usage: { pictures: 7 },
    ask: size('256x256', '', 'dall-e-2'),
    due: times(f('0.02'), f('0.4'), 7, perUsd),
  },
  {
    kind: 'half-size pictures, whose quality does not count',
    model: 'dall-e-2',
    usage: { pictures: 2 },
    ask: size('512x512', 'hd', 'dall-e-2'),
    due: times(f('0.02'), f('0.45'), 2, perUsd),
  },
  {
    kind: 'pictures of another size',
    model: 'dall-e-2',
    usage: { pictures: 10 },
    ask: size('1536x1024', '', 'dall-e-2'),
    due: times(f('0.02'), 10, perUsd),
  },
  ratioCase('pictures by ratio', 'drawing-by-ratio', {
    usage: { pictures: 2 },
    ask: size('1024x1792', '', 'drawing-by-ratio'),
    due: times(f('0.0025'), 8, 2, 2, perUsd),
  }),
  ...videoCases,
  ...batchCases,
  ...cacheCases,
  // Tools: USD per 1,000 calls, on top of the text.
  ratioCase('a web search with a middling context', 'gpt-4o', {
    usage: { promptTokens: 100, completionTokens: 10, webSearches: 1 },
    ask: { searchContext: 'medium' },
    due: plus(times(140, f('1.25')), times(f('0.035'), perUsd)),
  }),
  ratioCase('web searches with much context', 'gpt-4o', {
    usage: { promptTokens: 100, completionTokens: 10, webSearches: 3 },
    ask: { searchContext: 'high' },
    due: plus(times(140, f('1.25')), times(f('0.05'), 3, perUsd)),
  }),
  ratioCase('web searches of a small model', 'gpt-4o-mini', {
    usage: { promptTokens: 100, completionTokens: 10, webSearches: 2 },
    ask: { searchContext: 'medium' },
    due: plus(times(140, f('0.075')), times(f('0.0275'), 2, perUsd)),
  }),
  ratioCase('a web search with little context', 'gpt-4o-mini', {
    usage: { promptTokens: 100, webSearches: 1 },
    ask: { searchContext: 'low' },
    due: plus(times(100, f('0.075')), times(f('0.025'), perUsd)),
  }),
  ratioCase('a search model', 'gpt-4o-search-preview', {
    usage: { promptTokens: 20, completionTokens: 40, webSearches: 1 },
    ask: { searchContext: 'low' },
    due: plus(times(180, f('1.25')), times(f('0.03'), perUsd)),
  }),
  ratioCase('a web search of Claude', 'claude-3-5-sonnet-20241022', {
    usage: { promptTokens: 10, completionTokens: 10, webSearches: 5, cacheApart: true },
    ask: { searchContext: 'medium' },
    due: plus(times(60, f('1.5')), times(f('0.01'), 5, perUsd)),
  }),
  ratioCase('file searches', 'gpt-4o', {
    usage: { promptTokens: 100, fileSearches: 4 },
    ask: { searchContext: 'medium' },
    due: plus(times(100, f('1.25')), times(f('0.0025'), 4, perUsd)),
  }),
  {
    kind: 'a search of a model with a price per call',
    model: 'per-call',
    usage: { promptTokens: 1, webSearches: 1, fileSearches: 1 },
    ask: { searchContext: 'medium' },
    due: plus(times(f('0.0123'), perUsd), times(f('0.0275'), perUsd), times(f('0.0025'), perUsd)),
  },
  // One count alone.
  ratioCase('speech by the character', 'tts-1', {
    usage: { promptTokens: 1000 },
    due: times(1000, f('7.5')),
  }),
  ratioCase('speech by the token', 'gpt-4o-mini-tts', {
    usage: { promptTokens: 13 },
    due: times(13, f('0.3')),
  }),
  ratioCase('a transcript of 61.2 seconds', 'whisper-1', {
    usage: { promptTokens: 1033 },
    due: times(1033, 15),
  }),
  ratioCase('embeddings', 'text-embedding-3-small', {
    usage: { promptTokens: 8191 },
    due: times(8191, f('0.01')),
  }),
  ratioCase('a ranking', 'jina-reranker-v2', {
    usage: { promptTokens: 50 },
    due: times(50, f('0.01')),
  }),
  ratioCase('nothing at all', 'gpt-4o', { usage: {}, due: f('0') }),
];
