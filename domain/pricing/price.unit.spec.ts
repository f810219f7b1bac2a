import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aPriceQuote, aRatioQuote, aUsage } from '../../tests/support/pricing-examples.ts';
import { add, formatDecimal, parseDecimal } from '../shared/decimal.ts';
import { compilePrices } from './compile-prices.ts';
import { explain } from './explain.ts';
import { price } from './price.ts';
import { quoteFor } from './quote.ts';
import type { Quote, RatioQuote, Usage } from './types.ts';

const prices = compilePrices(new Map());
const defaultQuote = (model: string): Quote => {
  const quote = quoteFor(prices, { model, group: 'default', acceptUnpriced: false });
  if (quote === 'unpriced') throw new Error(`${model} has no default price`);
  return quote;
};

/** (p - k - w) + k·K + w·W + c·C, times M·G, in whole numbers of 10^-12. */
const byHand = (usage: Usage, quote: RatioQuote): bigint => {
  const milli = (text: string): bigint => BigInt(Math.round(Number(text) * 1000));
  const plain = usage.cacheApart
    ? usage.promptTokens
    : usage.promptTokens - usage.cachedTokens - usage.cacheCreationTokens;
  const tokens =
    BigInt(plain) * 1000n +
    BigInt(usage.cachedTokens) * milli(quote.cacheRatio) +
    BigInt(usage.cacheCreationTokens) * milli(quote.cacheCreationRatio) +
    BigInt(usage.completionTokens) * milli(quote.completionRatio);
  const sum = tokens * milli(quote.modelRatio) * milli(quote.groupRatio);
  if (sum === 0n) return milli(quote.modelRatio) * milli(quote.groupRatio) === 0n ? 0n : 1n;
  return (sum * 2n + 10n ** 9n) / (2n * 10n ** 9n);
};

describe('a call by ratio', () => {
  test.each([
    ['gpt-4o with 200 of 1,000 prompt tokens cached', 'gpt-4o', { cachedTokens: 200 }, 3625],
    ['gpt-4o-mini', 'gpt-4o-mini', {}, 225],
    [
      'Claude with its cache counts beside the prompt',
      'claude-3-5-sonnet-20241022',
      {
        promptTokens: 100,
        cachedTokens: 1000,
        cacheCreationTokens: 400,
        completionTokens: 200,
        cacheApart: true as const,
      },
      2550,
    ],
    ['speech of 1,000 characters', 'tts-1', { completionTokens: 0 }, 7500],
    ['a minute of transcription', 'whisper-1', { promptTokens: 1033, completionTokens: 0 }, 15495],
  ])('costs the list price: %s', (_title, model, changes, amount) => {
    expect(price(aUsage(changes), defaultQuote(model))).toBe(amount);
  });

  test('pays for tokens written to the cache once, at their own price', () => {
    const usage = aUsage({ cachedTokens: 100, cacheCreationTokens: 400, completionTokens: 0 });
    expect(price(usage, aRatioQuote({ modelRatio: '1' }))).toBe(500 + 50 + 500);
  });

  test('rounds a half unit up, once, at the end', () => {
    const half = aRatioQuote({ modelRatio: '0.5', completionRatio: '1' });
    expect(price(aUsage({ promptTokens: 1, completionTokens: 0 }), half)).toBe(1);
    expect(price(aUsage({ promptTokens: 2, completionTokens: 1 }), half)).toBe(2);
  });

  test('rounds less than half a unit to nothing', () => {
    const cheap = aRatioQuote({ modelRatio: '0.1' });
    expect(price(aUsage({ promptTokens: 4, completionTokens: 0 }), cheap)).toBe(0);
  });

  test('costs one unit when its work amounts to nothing at a price above zero', () => {
    const usage = aUsage({ cachedTokens: 1000, completionTokens: 0 });
    expect(price(usage, aRatioQuote({ cacheRatio: '0' }))).toBe(1);
  });

  test('is free in a free group, and with a free model', () => {
    expect(price(aUsage(), aRatioQuote({ groupRatio: '0' }))).toBe(0);
    expect(price(aUsage(), aRatioQuote({ modelRatio: '0' }))).toBe(0);
  });

  test('is free when nothing was used', () => {
    const nothing = aUsage({ promptTokens: 0, completionTokens: 0 });
    expect(price(nothing, aRatioQuote())).toBe(0);
    expect(price(nothing, aPriceQuote())).toBe(0);
  });

  test('stays exact where floating point would not', () => {
    const usage = aUsage({ promptTokens: 3, completionTokens: 3 });
    const third = aRatioQuote({ modelRatio: '0.25', completionRatio: '1.3333333333333333' });
    // 3·0.25 + 3·1.3333333333333333·0.25 = 1.749999999999999975
    expect(price(usage, third)).toBe(2);
    const many = aUsage({ promptTokens: 9_007_199_254_740_991, completionTokens: 0 });
    expect(price(many, aRatioQuote({ modelRatio: '0.5' }))).toBe(4_503_599_627_370_496);
  });

  test('never leaves the safe numbers', () => {
    const huge = aUsage({ promptTokens: 2 ** 52, completionTokens: 2 ** 52 });
    expect(price(huge, aRatioQuote({ modelRatio: '1e300' }))).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('a call at a fixed price', () => {
  test('costs price times units per dollar times group ratio', () => {
    expect(price(aUsage(), aPriceQuote())).toBe(20_000);
    expect(price(aUsage(), aPriceQuote({ groupRatio: '1.5' }))).toBe(30_000);
  });
});

describe('a call that is more than text', () => {
  const audio = aRatioQuote({ audioRatio: '40', audioCompletionRatio: '2' });

  test('costs the same where an old quote has no price for audio', () => {
    const usage = aUsage({ audioInputTokens: 400, audioOutputTokens: 100 });
    expect(price(usage, aRatioQuote())).toBe(price(aUsage(), aRatioQuote()));
  });

  test('names the price of each kind', () => {
    const usage = aUsage({ audioInputTokens: 50, audioOutputTokens: 20, webSearches: 2 });
    const tools = { webSearch: '35', fileSearch: '2.5', quotaPerUnit: 500_000 };
    const steps = explain(usage, { ...audio, tools });
    expect(steps.map(({ key, tokens, units }) => [key, tokens, units])).toEqual([
      ['prompt', 950, '1187.5'],
      ['completion', 480, '2400'],
      ['audio-input', 50, '2500'],
      ['audio-output', 20, '2000'],
      ['web-search', 2, '35000'],
      ['rounding', null, '0.5'],
    ]);
  });

  test('costs one unit where its pictures amount to nothing at a price above zero', () => {
    const terms = { size: '', quality: '', sizeRatio: '1', qualityRatio: '1', quotaPerUnit: 0 };
    const usage = aUsage({ promptTokens: 0, completionTokens: 0, pictures: 1 });
    expect(price(usage, aRatioQuote({ picture: terms }))).toBe(1);
    expect(price(usage, aRatioQuote({ picture: terms, groupRatio: '0' }))).toBe(0);
    expect(price(usage, aPriceQuote({ picture: terms }))).toBe(0);
  });
});

const ratio = fc.integer({ min: 0, max: 60_000 }).map((milli) => String(milli / 1000));
const tokens = fc.integer({ min: 0, max: 2_000_000 });
const anyUsage = fc.tuple(tokens, tokens, tokens, tokens, fc.boolean()).map(
  ([plain, cachedTokens, cacheCreationTokens, completionTokens, apart]): Usage => ({
    promptTokens: apart ? plain : plain + cachedTokens + cacheCreationTokens,
    completionTokens,
    cachedTokens,
    cacheCreationTokens,
    ...(apart ? { cacheApart: true as const } : {}),
  }),
);
const anyQuote = fc
  .tuple(ratio, ratio, ratio, ratio, ratio)
  .map(([modelRatio, completionRatio, cacheRatio, cacheCreationRatio, groupRatio]) =>
    aRatioQuote({ modelRatio, completionRatio, cacheRatio, cacheCreationRatio, groupRatio }),
  );

describe('every bill', () => {
  test('is the formula in whole numbers, whatever the ratios', () => {
    fc.assert(
      fc.property(anyUsage, anyQuote, (usage, quote) => {
        const used = usage.promptTokens + usage.completionTokens > 0 || usage.cacheApart === true;
        fc.pre(used && usage.promptTokens + usage.cachedTokens + usage.completionTokens > 0);
        expect(BigInt(price(usage, quote))).toBe(byHand(usage, quote));
      }),
    );
  });

  test('is explained by lines that add up to its amount exactly', () => {
    fc.assert(
      fc.property(anyUsage, anyQuote, (usage, quote) => {
        const sum = explain(usage, quote).reduce(
          (total, { units }) => add(total, parseDecimal(units)),
          parseDecimal('0'),
        );
        expect(formatDecimal(sum)).toBe(String(price(usage, quote)));
      }),
    );
  });

  test('names the tokens, the ratios and the rounding of each line', () => {
    const usage = aUsage({ promptTokens: 3, cachedTokens: 1, completionTokens: 1 });
    expect(explain(usage, aRatioQuote({ modelRatio: '0.3' }))).toEqual([
      {
        key: 'prompt',
        tokens: 2,
        factors: [
          { key: 'model-ratio', value: '0.3' },
          { key: 'group-ratio', value: '1' },
        ],
        units: '0.6',
      },
      {
        key: 'cache-read',
        tokens: 1,
        factors: [
          { key: 'cache-ratio', value: '0.5' },
          { key: 'model-ratio', value: '0.3' },
          { key: 'group-ratio', value: '1' },
        ],
        units: '0.15',
      },
      {
        key: 'completion',
        tokens: 1,
        factors: [
          { key: 'completion-ratio', value: '4' },
          { key: 'model-ratio', value: '0.3' },
          { key: 'group-ratio', value: '1' },
        ],
        units: '1.2',
      },
      { key: 'rounding', tokens: null, factors: [], units: '0.05' },
    ]);
  });
});
