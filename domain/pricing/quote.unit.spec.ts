import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aPriceQuote, aRatioQuote } from '../../tests/support/pricing-examples.ts';
import { boundUsage } from './bound-usage.ts';
import { compilePrices } from './compile-prices.ts';
import { completionRatioOf } from './completion-ratio.ts';
import { estimate } from './estimate.ts';
import { mayUseGroup, usableGroupsOf } from './groups.ts';
import { price } from './price.ts';
import { listedPrice, type QuoteAsk, quoteFor } from './quote.ts';

const prices = compilePrices(new Map());
const anAsk = (changes: Partial<QuoteAsk> = {}): QuoteAsk => ({
  model: 'gpt-4o',
  group: 'default',
  acceptUnpriced: false,
  ...changes,
});
const withOptions = (options: Readonly<Record<string, string>>) =>
  compilePrices(new Map(Object.entries(options)));

describe('the price of a model', () => {
  test('is frozen with the ratios of its day', () => {
    expect(quoteFor(prices, anAsk())).toEqual(aRatioQuote());
  });

  test('is the same object for the same model and group, until an option changes', () => {
    expect(quoteFor(prices, anAsk())).toBe(quoteFor(prices, anAsk()));
  });

  test('is the fixed price where there is one, whatever the ratio', () => {
    const both = withOptions({ ModelPrice: '{"gpt-4o":0.01}', ModelRatio: '{"gpt-4o":9}' });
    expect(quoteFor(both, anAsk())).toMatchObject({ kind: 'price', modelPrice: '0.01' });
  });

  test('carries the multiplier of the group, 1 for a group without one', () => {
    const vip = withOptions({ GroupRatio: '{"vip":0.8}' });
    expect(quoteFor(vip, anAsk({ group: 'vip' }))).toMatchObject({ groupRatio: '0.8' });
    expect(quoteFor(vip, anAsk({ group: 'other' }))).toMatchObject({ groupRatio: '1' });
  });

  test('is missing for an unpriced model', () => {
    expect(quoteFor(prices, anAsk({ model: 'home-made' }))).toBe('unpriced');
  });

  test.each([
    ['the user accepts it', prices, true],
    ['the site runs for its owner alone', withOptions({ SelfUseModeEnabled: 'true' }), false],
  ])('falls back to ratio 37.5 where %s', (_title, table, acceptUnpriced) => {
    const quote = quoteFor(table, anAsk({ model: 'home-made', acceptUnpriced }));
    expect(quote).toMatchObject({ kind: 'ratio', modelRatio: '37.5', completionRatio: '1' });
  });

  test('of a custom assistant is the price of its family', () => {
    expect(quoteFor(prices, anAsk({ model: 'gpt-4o-gizmo-abc' }))).toMatchObject({
      model: 'gpt-4o-gizmo-abc',
      modelRatio: '2.5',
      completionRatio: '3',
    });
  });

  test('follows the map that the operator saved, which replaces the defaults', () => {
    const own = withOptions({ ModelRatio: '{"home-made":0.1}' });
    expect(quoteFor(own, anAsk({ model: 'home-made' }))).toMatchObject({ modelRatio: '0.1' });
    expect(quoteFor(own, anAsk())).toBe('unpriced');
  });

  test('is listed with 37.5 where it is not set', () => {
    expect(listedPrice(prices, 'home-made')).toEqual({
      kind: 'ratio',
      modelRatio: '37.5',
      completionRatio: '1',
    });
    expect(listedPrice(prices, 'dall-e-3')).toEqual({ kind: 'price', modelPrice: '0.04' });
  });

  test('is refused when the stored map is broken', () => {
    expect(() => withOptions({ ModelRatio: '{"gpt-4o":"cheap"}' })).toThrow(RangeError);
    expect(() => withOptions({ QuotaPerUnit: 'many' })).toThrow(RangeError);
  });
});

describe('output tokens', () => {
  test.each([
    ['gpt-4o-2024-05-13', '3'],
    ['gpt-4o-mini', '4'],
    ['gpt-4.5-preview-2025-02-27', '2'],
    ['gpt-4-turbo-2024-04-09', '3'],
    ['gpt-4-1106', '3'],
    ['gpt-4-0613', '2'],
    ['gpt-4-all', '1'],
    ['o1-mini', '4'],
    ['o3-mini-high', '4'],
    ['chatgpt-4o-latest', '3'],
    ['claude-instant-1.2', '3'],
    ['claude-2.1', '3'],
    ['claude-3-haiku-20240307', '5'],
    ['gpt-3.5-turbo', '3'],
    ['gpt-3.5-turbo-0125', '3'],
    ['gpt-3.5-turbo-1106', '2'],
    ['gpt-3.5-turbo-16k', '1.3333333333333333'],
    ['mistral-large-latest', '3'],
    ['gemini-2.0-flash', '4'],
    ['gemini-2.5-pro-preview-03-25', '8'],
    ['gemini-exp-1206', '4'],
    ['command-r', '3'],
    ['command-r-plus', '5'],
    ['command-r-08-2024', '4'],
    ['command-light', '4'],
    ['DeepSeek-Chat', '4'],
    ['ERNIE-Lite-8K-0308', '2'],
    ['llama2-70b-4096', '1.25'],
    ['llama3-70b-8192', '1.3389830508474578'],
    ['qwen-max', '1'],
  ])('of %s count %s prompt tokens', (model, expected) => {
    expect(completionRatioOf(model, new Map())).toBe(expected);
  });

  test('follow the operator where the family only suggests, and not where it is fixed', () => {
    const own = new Map([
      ['gpt-4-0613', '7'],
      ['gpt-4o', '7'],
      ['maker/gpt-4o', '7'],
      ['qwen-max', '7'],
    ]);
    expect(completionRatioOf('gpt-4-0613', own)).toBe('7');
    expect(completionRatioOf('qwen-max', own)).toBe('7');
    expect(completionRatioOf('gpt-4o', own)).toBe('4');
    expect(completionRatioOf('maker/gpt-4o', own)).toBe('7');
  });
});

describe('an estimate', () => {
  test('holds the prompt and the whole output that the client allows', () => {
    const ask = { promptTokens: 1000, maxOutputTokens: 500, preConsumedTokens: 500 };
    expect(estimate(aRatioQuote(), ask)).toBe(3750);
  });

  test('holds the operator’s allowance where the client names no limit', () => {
    const ask = { promptTokens: 1000, maxOutputTokens: null, preConsumedTokens: 100 };
    expect(estimate(aRatioQuote(), ask)).toBe(1750);
  });

  test('holds one search of each kind where the request may search', () => {
    const ask = { promptTokens: 1000, maxOutputTokens: 500, preConsumedTokens: 500 };
    const tools = { webSearch: '35', fileSearch: '2.5', quotaPerUnit: 500_000 };
    expect(estimate(aRatioQuote({ tools }), ask)).toBe(3750 + 17_500 + 1_250);
    expect(estimate(aPriceQuote({ tools }), ask)).toBe(20_000 + 17_500 + 1_250);
  });

  test('holds every picture, by the piece or by the token, whichever is more', () => {
    const picture = { size: '', quality: '', sizeRatio: '2', qualityRatio: '1' };
    const terms = { ...picture, quotaPerUnit: 500_000 };
    const ask = { promptTokens: 10, maxOutputTokens: 0, preConsumedTokens: 500, pictures: 3 };
    expect(estimate(aPriceQuote({ picture: terms }), ask)).toBe(120_000);
    const byToken = { ...ask, maxOutputTokens: 10_000 };
    expect(estimate(aRatioQuote({ picture: terms }), byToken)).toBe(50_013);
  });

  test.each([Number.NaN, -5])('takes an output limit of %s as none at all', (maxOutputTokens) => {
    const ask = { promptTokens: 1000, maxOutputTokens, preConsumedTokens: 500 };
    expect(estimate(aRatioQuote(), ask)).toBe(1250);
  });

  test('of an endless output is more than anybody has, and still a number', () => {
    const ask = {
      promptTokens: 1,
      maxOutputTokens: Number.POSITIVE_INFINITY,
      preConsumedTokens: 1,
    };
    expect(estimate(aRatioQuote(), ask)).toBeGreaterThan(1e12);
    expect(Number.isSafeInteger(estimate(aRatioQuote(), ask))).toBe(true);
  });

  test('is never below the bill of a call that keeps to it', () => {
    const tokens = fc.integer({ min: 1, max: 1_000_000 });
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(tokens, tokens, share, share, (promptTokens, maxOutputTokens, read, write) => {
        const quote = aRatioQuote({ modelRatio: '0.375', completionRatio: '1.3333333333333333' });
        const used = {
          promptTokens,
          completionTokens: Math.floor(maxOutputTokens * write),
          cachedTokens: Math.floor(promptTokens * read),
          cacheCreationTokens: 0,
        };
        const ask = { promptTokens, maxOutputTokens, preConsumedTokens: 0 };
        expect(price(used, quote)).toBeLessThanOrEqual(estimate(quote, ask));
      }),
    );
  });
});

describe('usage that an upstream reports', () => {
  const bound = { promptTokens: 2000, completionTokens: 1000 };
  const reported = { promptTokens: 1000, completionTokens: 500, cachedTokens: 200 };

  test('is taken as it is when it can be true', () => {
    expect(boundUsage(reported, bound)).toEqual({
      usage: { ...reported, cacheCreationTokens: 0 },
      note: null,
    });
  });

  test.each([
    ['promptTokens', -1, 0],
    ['promptTokens', 1e18, 2000],
    ['completionTokens', 12.7, 12],
    ['completionTokens', Number.NaN, 0],
    ['completionTokens', '7', 0],
    ['cachedTokens', 1001, 1000],
    ['cacheCreationTokens', 900, 800],
  ] as const)('cannot lie: %s %s counts as %s', (field, value, taken) => {
    const { usage, note } = boundUsage({ ...reported, [field]: value }, bound);
    expect(usage[field]).toBe(taken);
    expect(note).toContain(`taken as ${taken}`);
  });

  test.each([
    [{ audioInputTokens: 900 }, { audioInputTokens: 800 }],
    [
      { audioInputTokens: 900, cachedAudioTokens: 150 },
      { audioInputTokens: 900, cachedAudioTokens: 150 },
    ],
    [
      { audioInputTokens: 10, cachedAudioTokens: 900 },
      { audioInputTokens: 200, cachedAudioTokens: 200 },
    ],
    [
      { audioInputTokens: 500, imageInputTokens: 500 },
      { audioInputTokens: 500, imageInputTokens: 300 },
    ],
    [{ audioOutputTokens: 501 }, { audioOutputTokens: 500 }],
    [{ audioInputTokens: -5, audioOutputTokens: 1.5 }, { audioOutputTokens: 1 }],
    [{ webSearches: 1e9, fileSearches: '3' }, { webSearches: 16 }],
  ])('holds sound, pictures and tools within what there is: %j', (more, taken) => {
    const { usage } = boundUsage({ ...reported, ...more }, { ...bound, toolCalls: 16 });
    expect(usage).toEqual({ ...reported, cacheCreationTokens: 0, ...taken });
  });

  test('pays for no tool that was not requested', () => {
    const { usage, note } = boundUsage({ ...reported, webSearches: 3 }, bound);
    expect(usage).toEqual({ ...reported, cacheCreationTokens: 0 });
    expect(note).toBe('web searches 3 taken as 0');
  });

  test('may hold more cached tokens than prompt tokens where they are separate', () => {
    const apart = { ...reported, promptTokens: 10, cacheApart: true as const };
    expect(boundUsage(apart, bound).usage).toEqual({ ...apart, cacheCreationTokens: 0 });
  });
});

describe('groups', () => {
  test('a user picks among the open ones and their own', () => {
    expect([...usableGroupsOf(prices, 'svip').keys()]).toEqual(['default', 'vip', 'svip']);
    expect(mayUseGroup(prices, 'default', 'svip')).toBe(false);
    expect(mayUseGroup(prices, 'svip', 'svip')).toBe(true);
  });
});
