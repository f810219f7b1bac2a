import { describe, expect, test } from 'vitest';
import { aPriceQuote, aRatioQuote, aUsage } from '../../tests/support/pricing-examples.ts';
import { explain } from './explain.ts';
import { price } from './price.ts';
import type { Quote, Usage } from './types.ts';

/* Every figure is computed manually from infra/reference/money-rules.md, section 5. */
const tools = { webSearch: '25', fileSearch: '2.5', quotaPerUnit: 500_000 } as const;
const picture = {
  size: '1024x1792',
  quality: 'hd',
  sizeRatio: '2',
  qualityRatio: '1.5',
  quotaPerUnit: 500_000,
} as const;
const nothing: Usage = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  cacheCreationTokens: 0,
};
const rich = aRatioQuote({
  modelRatio: '2',
  groupRatio: '0.5',
  audioRatio: '10',
  audioCompletionRatio: '3',
  imageRatio: '2',
  tools,
});
/** 700 plain, of which 100 sound and 80 pictures; 50 of the 200 cached are sound. */
const mixed = aUsage({
  cachedTokens: 200,
  cacheCreationTokens: 100,
  audioInputTokens: 150,
  cachedAudioTokens: 50,
  imageInputTokens: 80,
  audioOutputTokens: 120,
  webSearches: 2,
  fileSearches: 3,
});

const linesOf = (usage: Usage, quote: Quote) =>
  explain(usage, quote).map(({ key, tokens, units, factors }) => [
    key,
    tokens,
    units,
    factors.map((factor) => `${factor.key} ${factor.value}`).join(' × '),
  ]);

const base = 'model-ratio 2 × group-ratio 0.5';
const perCall = 'per-call 0.001 × quota-per-unit 500000 × group-ratio 0.5';

describe('the bill of a call with everything', () => {
  test('has a line for each kind, and its sum is the price', () => {
    expect(linesOf(mixed, rich)).toEqual([
      ['prompt', 520, '520', base],
      ['cache-read', 150, '75', `cache-ratio 0.5 × ${base}`],
      ['cache-creation', 100, '125', `cache-creation-ratio 1.25 × ${base}`],
      ['image-input', 80, '160', `image-ratio 2 × ${base}`],
      ['completion', 380, '1520', `completion-ratio 4 × ${base}`],
      ['audio-input', 100, '1000', `audio-ratio 10 × ${base}`],
      ['audio-cache-read', 50, '250', `audio-ratio 10 × cache-ratio 0.5 × ${base}`],
      ['audio-output', 120, '3600', `audio-ratio 10 × audio-completion-ratio 3 × ${base}`],
      ['web-search', 2, '12500', `tool-price 25 × ${perCall}`],
      ['file-search', 3, '1875', `tool-price 2.5 × ${perCall}`],
    ]);
    expect(price(mixed, rich)).toBe(21_625);
  });
  test('prices sound that is produced like sound that is read, where no ratio is set for it', () => {
    const { audioCompletionRatio: _, ...plain } = rich;
    const [, , , , , , , output] = linesOf(mixed, plain);
    expect(output?.slice(0, 3)).toEqual(['audio-output', 120, '1200']);
  });
  test('counts sound and pictures as text, where the quote has no ratios for them', () => {
    const usage = { ...mixed, webSearches: 0, fileSearches: 0 };
    const plain = aRatioQuote({ modelRatio: '2', groupRatio: '0.5' });
    expect(linesOf(usage, plain).map(([key, count]) => [key, count])).toEqual([
      ['prompt', 700],
      ['cache-read', 200],
      ['cache-creation', 100],
      ['completion', 500],
    ]);
  });
});

test('a quote for sound and pictures prices a call of text and a search', () =>
  expect(linesOf(aUsage({ webSearches: 1 }), rich).map((line) => line.slice(0, 3))).toEqual([
    ['prompt', 1_000, '1000'],
    ['completion', 500, '2000'],
    ['web-search', 1, '6250'],
  ]));

describe('one kind alone is priced as such', () => {
  test.each<[string, Partial<Usage>, number]>([
    ['sound that is read', { audioInputTokens: 150 }, 850 + 1_500 + 2_000],
    ['sound that is produced', { audioOutputTokens: 120 }, 1_000 + 1_520 + 3_600],
    ['pictures that are looked at', { imageInputTokens: 80 }, 920 + 160 + 2_000],
  ])('%s', (_kind, changes, units) => expect(price(aUsage(changes), rich)).toBe(units));
});

describe('pictures', () => {
  const byRatio = aRatioQuote({ modelRatio: '2', groupRatio: '0.5', picture });
  const byPrice = aPriceQuote({ groupRatio: '0.5', picture });
  const ratios = 'size-ratio 2 × quality-ratio 1.5 × quota-per-unit 500000 × group-ratio 0.5';
  test('by ratio cost a quarter of a cent each, times what they are', () =>
    expect(linesOf({ ...nothing, pictures: 1 }, byRatio)).toEqual([
      ['pictures', 1, '3750', `picture-price 0.0025 × model-ratio 2 × ${ratios}`],
    ]));
  test('by price cost it each', () =>
    expect(linesOf({ ...nothing, pictures: 3 }, byPrice)).toEqual([
      ['pictures', 3, '90000', `model-price 0.04 × ${ratios}`],
    ]));
  test('are paid by tokens where a single one is reported', () =>
    expect(price({ ...nothing, promptTokens: 1, pictures: 1 }, byRatio)).toBe(1));
  test('that were not drawn cost nothing in addition to a search', () => {
    const usage = { ...nothing, promptTokens: 10, webSearches: 1 };
    expect(linesOf(usage, { ...byPrice, tools }).map(([key]) => key)).toEqual(['web-search']);
  });
});

test('a price per call is one line', () =>
  expect(linesOf(aUsage(), aPriceQuote())).toEqual([
    ['call', null, '20000', 'model-price 0.04 × quota-per-unit 500000 × group-ratio 1'],
  ]));

describe('what the lines do not sum to', () => {
  test('is nothing where they are whole', () =>
    expect(linesOf(aUsage({ completionTokens: 0 }), rich)).toHaveLength(1));
  test('is a rounding, a tenth of a unit too', () => {
    const tenth = aRatioQuote({ modelRatio: '0.9' });
    expect(explain({ ...nothing, promptTokens: 1 }, tenth).at(-1)).toEqual({
      key: 'rounding',
      tokens: null,
      factors: [],
      units: '0.1',
    });
  });
  test('is a rounding where a tenth of a unit is left out', () => {
    const tenth = aRatioQuote({ modelRatio: '0.1' });
    expect(explain({ ...nothing, promptTokens: 1 }, tenth).at(-1)).toMatchObject({
      key: 'rounding',
      units: '-0.1',
    });
  });
  test('is the least that a call with use costs, whatever its ratios', () => {
    const whole = { modelRatio: '1', completionRatio: '1', cacheCreationRatio: '1' } as const;
    const usage = { ...nothing, promptTokens: 10, cachedTokens: 10 };
    expect(price(usage, aRatioQuote({ ...whole, cacheRatio: '0' }))).toBe(1);
    expect(price(usage, aRatioQuote({ ...whole, cacheRatio: '0', groupRatio: '0' }))).toBe(0);
  });
  test('is the least that a call with use costs', () => {
    const free = aRatioQuote({ cacheRatio: '0' });
    const usage = { ...nothing, promptTokens: 10, cachedTokens: 10 };
    expect(explain(usage, free).at(-1)).toMatchObject({ key: 'minimum', units: '1' });
    expect(price(usage, free)).toBe(1);
  });
  test('is no bill at all where nothing was used', () =>
    expect(explain(nothing, aPriceQuote())).toEqual([]));
});

describe('what counts as use', () => {
  const free = aRatioQuote({ tools, picture });
  test.each<[string, Partial<Usage>, number]>([
    ['cache reads beside the prompt', { cachedTokens: 5, cacheApart: true }, 3],
    ['cache reads inside no prompt', { cachedTokens: 5 }, 0],
    ['a picture and a search', { pictures: 1, webSearches: 1 }, 4_688 + 12_500],
    ['one search of each kind', { webSearches: 1, fileSearches: 1 }, 13_750],
    ['a file search', { fileSearches: 1 }, 1_250],
  ])('%s', (_kind, changes, units) => expect(price({ ...nothing, ...changes }, free)).toBe(units));
  test('a flat price is paid for the call as such', () => {
    expect(price(nothing, aPriceQuote({ flat: true }))).toBe(20_000);
    expect(price(nothing, aPriceQuote())).toBe(0);
  });
});

describe('very small amounts', () => {
  test('of one unit by price are one unit', () =>
    expect(price(aUsage(), aPriceQuote({ modelPrice: '0.000002' }))).toBe(1));
  test('of a ten-millionth of a unit for a search round to nothing', () => {
    const cheap = aRatioQuote({ tools: { webSearch: '0.0001', fileSearch: '0', quotaPerUnit: 1 } });
    expect(price({ ...nothing, webSearches: 1 }, cheap)).toBe(0);
  });
  test('below what plain numbers can count round to nothing too', () => {
    const whole = { cacheRatio: '1', cacheCreationRatio: '1' } as const;
    const tiny = aRatioQuote({ ...whole, modelRatio: '0.00000000000000000001' });
    expect(price({ ...nothing, promptTokens: 1 }, tiny)).toBe(0);
  });
});
