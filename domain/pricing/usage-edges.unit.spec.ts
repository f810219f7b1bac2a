import { describe, expect, test } from 'vitest';
import { aPriceQuote, aRatioQuote } from '../../tests/support/pricing-examples.ts';
import { boundUsage, type ReportedUsage } from './bound-usage.ts';
import { estimate } from './estimate.ts';

const bound = { promptTokens: 1_000, completionTokens: 200, toolCalls: 4 };
const bounded = (reported: Partial<ReportedUsage>) =>
  boundUsage({ promptTokens: 100, completionTokens: 50, ...reported }, bound);

describe('a report is taken as it is', () => {
  test.each<[string, Partial<ReportedUsage>, object]>([
    ['of nothing', { promptTokens: 0, completionTokens: 0 }, { promptTokens: 0 }],
    ['at the bounds', { promptTokens: 1_000, completionTokens: 200 }, { completionTokens: 200 }],
    ['with sound', { audioInputTokens: 40 }, { audioInputTokens: 40 }],
    ['with sound made', { audioOutputTokens: 50 }, { audioOutputTokens: 50 }],
    ['with pictures', { imageInputTokens: 100 }, { imageInputTokens: 100 }],
    ['with a single search', { webSearches: 1 }, { webSearches: 1 }],
    ['with all file searches', { fileSearches: 4 }, { fileSearches: 4 }],
    [
      'with sound out of the cache alone',
      { cachedTokens: 30, cachedAudioTokens: 20 },
      { audioInputTokens: 20, cachedAudioTokens: 20 },
    ],
  ])('%s', (_kind, reported, usage) =>
    expect(bounded(reported)).toMatchObject({ usage, note: null }),
  );
});

test('every count of a report is taken', () => {
  const extras = {
    cachedTokens: 10,
    audioInputTokens: 20,
    cachedAudioTokens: 5,
    audioOutputTokens: 30,
    imageInputTokens: 40,
    webSearches: 2,
    fileSearches: 3,
  };
  expect(bounded(extras)).toEqual({
    usage: { promptTokens: 100, completionTokens: 50, cacheCreationTokens: 0, ...extras },
    note: null,
  });
});

describe('a report is cut', () => {
  test.each<[string, Partial<ReportedUsage>, object, string]>([
    [
      'prompt',
      { promptTokens: 1_001 },
      { promptTokens: 1_000 },
      'prompt tokens 1001 taken as 1000',
    ],
    [
      'completion',
      { completionTokens: -1 },
      { completionTokens: 0 },
      'completion tokens -1 taken as 0',
    ],
    ['cached', { cachedTokens: 500 }, { cachedTokens: 100 }, 'cached tokens 500 taken as 100'],
    [
      'cache beside the prompt',
      { promptTokens: 300, cachedTokens: 900, cacheApart: true },
      { cachedTokens: 700 },
      'cached tokens 900 taken as 700',
    ],
    [
      'cache writes',
      { cachedTokens: 60, cacheCreationTokens: 60 },
      { cacheCreationTokens: 40 },
      'cache creation tokens 60 taken as 40',
    ],
    [
      'sound, to what is not cached',
      { cachedTokens: 30, cacheCreationTokens: 20, audioInputTokens: 100 },
      { audioInputTokens: 50 },
      'audio input tokens 100 taken as 50',
    ],
    [
      'sound out of the cache',
      { cachedTokens: 30, cachedAudioTokens: 31 },
      { cachedAudioTokens: 30 },
      'cached audio tokens 31 taken as 30',
    ],
    [
      'sound made',
      { audioOutputTokens: 51 },
      { audioOutputTokens: 50 },
      'audio output tokens 51 taken as 50',
    ],
    [
      'pictures, to what is neither cached nor sound',
      { cachedTokens: 10, cachedAudioTokens: 5, audioInputTokens: 25, imageInputTokens: 100 },
      { imageInputTokens: 70 },
      'image input tokens 100 taken as 70',
    ],
    ['searches', { webSearches: 5 }, { webSearches: 4 }, 'web searches 5 taken as 4'],
    ['file searches', { fileSearches: 5 }, { fileSearches: 4 }, 'file searches 5 taken as 4'],
  ])('%s', (_kind, reported, usage, note) =>
    expect(bounded(reported)).toMatchObject({ usage, note }),
  );
  test('not in its audio where the cache is separate from the prompt', () =>
    expect(bounded({ cachedTokens: 30, cacheApart: true, audioInputTokens: 100 })).toMatchObject({
      usage: { audioInputTokens: 100 },
      note: null,
    }));
  test('in several places, each named', () => {
    const note = 'prompt tokens -1 taken as 0; completion tokens 201 taken as 200';
    expect(bounded({ promptTokens: -1, completionTokens: 201 }).note).toBe(note);
    expect(bounded({ promptTokens: -1, completionTokens: 201, webSearches: 1 }).note).toBe(note);
  });
  test('and long nonsense is named by its first forty characters', () =>
    expect(bounded({ promptTokens: 'x'.repeat(50) }).note).toBe(
      `prompt tokens ${'x'.repeat(40)} taken as 0`,
    ));
});

describe('an estimate', () => {
  const one = aRatioQuote({ modelRatio: '1', completionRatio: '1' });
  const ask = { promptTokens: 1, maxOutputTokens: 0, preConsumedTokens: 500 };
  const picture = {
    size: '',
    quality: '',
    sizeRatio: '1',
    qualityRatio: '1',
    quotaPerUnit: 500_000,
  };
  test.each<[string, Parameters<typeof estimate>, number]>([
    ['rounds a part of a token up', [one, { ...ask, promptTokens: 1.2 }], 2],
    ['counts at least one token', [one, { ...ask, promptTokens: 0 }], 1],
    ['counts nothing as cached', [aRatioQuote({ modelRatio: '8' }), ask], 8],
    ['has an end', [one, { ...ask, maxOutputTokens: Number.POSITIVE_INFINITY }], 1_099_511_627_777],
    ['takes the default where no limit is named', [one, { ...ask, maxOutputTokens: null }], 501],
    ['is nothing for a free group', [aRatioQuote({ groupRatio: '0' }), ask], 0],
    [
      'reserves a picture',
      [
        { ...one, picture },
        { ...ask, pictures: 1 },
      ],
      1_250,
    ],
    [
      'reserves two pictures',
      [
        { ...one, picture },
        { ...ask, pictures: 2 },
      ],
      2_500,
    ],
    ['reserves no picture that is not asked for', [{ ...one, picture }, ask], 1],
    ['is the price of a call', [aPriceQuote(), ask], 20_000],
  ])('%s', (_kind, given, units) => expect(estimate(...given)).toBe(units));
  test('holds one call of each tool', () => {
    const tools = { webSearch: '25', fileSearch: '2.5', quotaPerUnit: 500_000 };
    expect(estimate({ ...one, tools }, ask)).toBe(1 + 12_500 + 1_250);
    // A token at a quarter of a unit: searches at three and two tenths lie on both sides of a half.
    const search = (webSearch: string) => ({ webSearch, fileSearch: '0', quotaPerUnit: 500_000 });
    const small = (webSearch: string) =>
      estimate(aRatioQuote({ modelRatio: '0.25', tools: search(webSearch) }), ask);
    expect([small('0.001'), small('0.0006'), small('0.0004')]).toEqual([1, 1, 0]);
  });
});
