import { expect, test } from 'vitest';
import { compilePrices } from './compile-prices.ts';
import { explain } from './explain.ts';
import { price } from './price.ts';
import { videoQuoteFor } from './video-quote.ts';

const usage = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  cacheCreationTokens: 0,
  videoSeconds: 8,
};
const asked = { model: 'sora-2-pro', group: 'vip', size: '1792x1024', acceptUnpriced: false };
const options = new Map([['GroupRatio', '{"vip":0.8}']]);

test('the bill of a video is its seconds at the price of a second', () => {
  const quote = videoQuoteFor(compilePrices(options), asked);
  if (quote === 'unpriced') throw new Error('no price');
  // 8 s · 0.5 USD · 500,000 units · 0.8
  expect(price(usage, quote)).toBe(1_600_000);
  expect(explain(usage, quote)).toEqual([
    {
      key: 'video-seconds',
      tokens: 8,
      factors: [
        { key: 'second-price', value: '0.5' },
        { key: 'quota-per-unit', value: '500000' },
        { key: 'group-ratio', value: '0.8' },
      ],
      units: '1600000',
    },
  ]);
});

test.each([
  ['of its size', { 'sora-2-pro': 0.2, 'sora-2-pro@1792x1024': 0.7 }, '0.7'],
  ['of its model, before a default one of its size', { 'sora-2-pro': 0.2 }, '0.2'],
  ['of its size by default, where there is none of the operator', { other: 1 }, '0.5'],
])('a second has the price %s', (_, prices, modelPrice) => {
  const own = new Map([...options, ['ModelPrice', JSON.stringify(prices)]]);
  expect(videoQuoteFor(compilePrices(own), asked)).toMatchObject({ modelPrice });
});

test('a video without a price is made for those alone who accept that', () => {
  const unknown = { ...asked, model: 'own-video' };
  const prices = compilePrices(new Map([...options, ['ModelRatio', '{"own-video":2}']]));
  expect(videoQuoteFor(prices, unknown)).toBe('unpriced');
  expect(videoQuoteFor(prices, { ...unknown, acceptUnpriced: true })).toMatchObject({
    modelPrice: '0.1',
    video: { size: '1792x1024' },
  });
  const selfUse = compilePrices(new Map([...options, ['SelfUseModeEnabled', 'true']]));
  expect(videoQuoteFor(selfUse, unknown)).toMatchObject({ modelPrice: '0.1' });
});
