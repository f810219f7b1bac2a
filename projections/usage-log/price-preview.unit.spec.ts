import { expect, test } from 'vitest';
import { compilePrices } from '../../domain/pricing/compile-prices.ts';
import type { Quote, RatioQuote } from '../../domain/pricing/types.ts';
import { amountUnder, type ChargedCall, createPreview } from './price-preview.ts';

const options = {
  ModelRatio: '{"custom":1.25,"other":5}',
  ModelPrice: '{"drawing":0.04,"mj_imagine":0.1}',
  CompletionRatio: '{"custom":4,"other":3}',
  CacheRatio: '{"custom":0.5}',
  GroupRatio: '{"default":1,"vip":0.5}',
};
const pricesOf = (changes: Readonly<Record<string, string>> = {}) =>
  compilePrices(new Map(Object.entries({ ...options, ...changes })));

const ratio = (model: string, changes: Partial<RatioQuote> = {}): RatioQuote => ({
  kind: 'ratio',
  model,
  modelRatio: '1.25',
  completionRatio: '4',
  cacheRatio: '0.5',
  cacheCreationRatio: '1.25',
  groupRatio: '1',
  ...changes,
});
const call = (quote: Quote, quota: number, group = 'default'): ChargedCall => ({
  group,
  quota,
  quote,
  usage: { promptTokens: 1_000, completionTokens: 500, cachedTokens: 200, cacheCreationTokens: 0 },
});
const under = (changed: Readonly<Record<string, string>>, of: ChargedCall) =>
  amountUnder(of, { before: pricesOf(), after: pricesOf(changed) });

/*
 * Computed manually: 800 plain + 200 × 0.5 cached + 500 × 4 made = 2,900 prompt tokens, at 1.25
 * each 3,625 units.
 */
const custom = call(ratio('custom'), 3_625);

test('a call costs under the new ratio the price of its tokens, computed manually', () => {
  expect(under({}, custom)).toBe(3_625);
  // 2,900 × 2
  expect(under({ ModelRatio: '{"custom":2}' }, custom)).toBe(5_800);
  // (900 + 500 × 6) × 1.25 = 4,875
  expect(under({ CompletionRatio: '{"custom":6}' }, custom)).toBe(4_875);
  // (800 + 200 × 0.1 + 2,000) × 1.25 = 3,525
  expect(under({ CacheRatio: '{"custom":0.1}' }, custom)).toBe(3_525);
  // 3,625 × 0.8
  expect(under({ GroupRatio: '{"default":0.8}' }, custom)).toBe(2_900);
});

test('the group of the call decides', () => {
  const vip = call(ratio('custom', { groupRatio: '0.5' }), 1_813, 'vip');
  // 3,625 × 0.5 = 1,812.5, rounded away from zero; × 0.25 = 906.25
  expect(under({}, vip)).toBe(1_813);
  expect(under({ GroupRatio: '{"default":1,"vip":0.25}' }, vip)).toBe(906);
});

test('a video costs its seconds at the price of a second and its size', () => {
  const film: ChargedCall = {
    group: 'vip',
    quota: 800_000,
    quote: {
      kind: 'price',
      model: 'film',
      modelPrice: '0.4',
      groupRatio: '0.5',
      quotaPerUnit: 500_000,
      video: { size: '1280x720' },
    },
    usage: {
      promptTokens: 0,
      completionTokens: 0,
      cachedTokens: 0,
      cacheCreationTokens: 0,
      videoSeconds: 8,
    },
  };
  // 8 s × 0.3 USD × 500,000 × 0.5
  expect(under({ ModelPrice: '{"film":0.3}' }, film)).toBe(600_000);
  // 8 s × 0.6 USD × 500,000 × 0.5: the price of the size takes precedence
  expect(under({ ModelPrice: '{"film":0.3,"film@1280x720":0.6}' }, film)).toBe(1_200_000);
});

test('a model goes from tokens to a price per call, and back', () => {
  // 0.02 USD × 500,000 units per USD
  expect(under({ ModelPrice: '{"custom":0.02}' }, custom)).toBe(10_000);
  const drawing = call(
    { kind: 'price', model: 'drawing', modelPrice: '0.04', groupRatio: '1', quotaPerUnit: 500_000 },
    20_000,
  );
  expect(under({ ModelPrice: '{"drawing":0.05}' }, drawing)).toBe(25_000);
  // (1,000 + 500 × 1) × 2: without separate ratios for cached and made tokens.
  const back = { ModelPrice: '{}', ModelRatio: '{"drawing":2}' };
  expect(under(back, drawing)).toBe(3_000);
});

test('the step of a task costs its price, and a free one stays free', () => {
  const step = (modelPrice: string): ChargedCall => ({
    group: 'default',
    quota: Number(modelPrice) * 500_000,
    usage: { promptTokens: 0, completionTokens: 0, cachedTokens: 0, cacheCreationTokens: 0 },
    quote: {
      kind: 'price',
      model: 'mj_imagine',
      modelPrice,
      groupRatio: '1',
      quotaPerUnit: 500_000,
      flat: true,
    },
  });
  expect(under({ ModelPrice: '{"mj_imagine":0.2}' }, step('0.1'))).toBe(100_000);
  expect(under({ ModelPrice: '{"mj_imagine":0.2}' }, step('0'))).toBe(0);
});

test('a model that loses its price is refused; one that never had any stays at the fallback', () => {
  expect(under({ ModelRatio: '{"other":5}' }, custom)).toBeNull();
  const unset = call(ratio('unset', { modelRatio: '37.5', completionRatio: '1' }), 1);
  expect(under({}, unset)).not.toBeNull();
});

test('calls are summed, and models that change are named, the largest change first', () => {
  const preview = createPreview({
    before: pricesOf(),
    after: pricesOf({ ModelRatio: '{"custom":2,"other":6}' }),
  });
  preview.add(custom);
  preview.add(custom);
  // (800 + 200 + 500 × 3) × 5 = 12,500; at 6: 15,000
  preview.add(
    call(ratio('other', { modelRatio: '5', completionRatio: '3', cacheRatio: '1' }), 12_500),
  );
  expect(preview.result()).toEqual({
    calls: 3,
    charged: 19_750,
    amount: 26_600,
    unpriced: 0,
    models: [
      { model_name: 'custom', calls: 2, charged: 7_250, amount: 11_600 },
      { model_name: 'other', calls: 1, charged: 12_500, amount: 15_000 },
    ],
  });
});
