import { describe, expect, test } from 'vitest';
import { price } from '../../domain/pricing/price.ts';
import type { Quote, Usage } from '../../domain/pricing/types.ts';
import { aPriceQuote, aRatioQuote, aUsage } from '../../tests/support/pricing-examples.ts';
import { repriceApi } from '../contract/reprice.ts';
import { repriceAll } from './reprice.ts';
import type { LedgerRow } from './table.ts';

const aRow = (usage: Usage, quote: Quote): LedgerRow =>
  ({
    event_id: 'e1',
    request_id: 'r1',
    at: 0,
    model_name: quote.model,
    delta: -price(usage, quote),
    price: JSON.stringify({ usage, quote }),
  }) as LedgerRow;

const { body: repriceBody } = repriceApi['POST /api/audit/reprice'];

const under = (row: LedgerRow, overrides: object) =>
  repriceAll([row], repriceBody.parse({ user_id: 1, event_ids: ['e1'], overrides }), 500_000);

const tools = { webSearch: '35', fileSearch: '2.5', quotaPerUnit: 500_000 };
const picture = { size: '', quality: '', sizeRatio: '2', qualityRatio: '1', quotaPerUnit: 500_000 };
const sound = aUsage({ audioInputTokens: 400, audioOutputTokens: 100, webSearches: 1 });
const audio = aRatioQuote({ audioRatio: '40', audioCompletionRatio: '2', imageRatio: '2', tools });
const drawn = aUsage({ promptTokens: 0, completionTokens: 0, pictures: 3 });

describe('charges under other prices', () => {
  test.each([
    ['sound and searches', aRow(sound, audio)],
    ['pictures by the piece', aRow(drawn, aPriceQuote({ picture }))],
    ['pictures by ratio', aRow(drawn, aRatioQuote({ picture }))],
  ])('are equal for %s where nothing is changed', (_name, row) => {
    expect(under(row, {}).difference).toBe(0);
  });

  test('keep what was agreed of sound, pictures and tools', () => {
    const half = under(aRow(sound, audio), { group_ratio: 0.5 });
    expect(half.new_amount).toBe(Math.round(half.old_amount / 2));
    const dearer = under(aRow(drawn, aRatioQuote({ picture })), { model_price: 0.04 });
    expect(dearer.new_amount).toBe(0.04 * 2 * 3 * 500_000);
  });

  test('are refused for usage whose parts are more than the whole', () => {
    for (const usage of [{ prompt_tokens: 399 }, { completion_tokens: 99 }]) {
      expect(() => under(aRow(sound, audio), { usage })).toThrow();
    }
  });
});

/*
 * Computed manually: 860 tokens of the prompt, 100 cached at half, 40 put into the cache at 1.25
 * and 500 of output at three times make 2,460; twice that is the charge.
 */
const cached = aUsage({ cachedTokens: 100, cacheCreationTokens: 40 });
const byRatio = aRatioQuote({ modelRatio: '2', completionRatio: '3' });
const perCall = aPriceQuote();
/** The charge under other prices, for an installation of 1,000 units for a dollar. */
const newAmount = (row: LedgerRow, overrides: object) =>
  repriceAll([row], repriceBody.parse({ user_id: 1, event_ids: ['e1'], overrides }), 1_000)
    .new_amount;

describe('a charge by ratio', () => {
  test.each<[string, object, number]>([
    ['nothing', {}, 4_920],
    ['the ratio of the model', { model_ratio: 1 }, 2_460],
    ['the ratio of output', { completion_ratio: 1 }, 2_920],
    ['the ratio of what is cached', { cache_ratio: 1 }, 5_020],
    ['the ratio of what goes into the cache', { cache_creation_ratio: 2 }, 4_980],
    ['the ratio of the group', { group_ratio: '0.5' }, 2_460],
    ['a price per call, at the units of the installation', { model_price: 2 }, 2_000],
    ['a price per call and a group', { model_price: 2, group_ratio: '0.5' }, 1_000],
    ['the prompt', { usage: { prompt_tokens: 2_000 } }, 6_920],
    ['the output', { usage: { completion_tokens: 0 } }, 1_920],
    ['what was cached', { usage: { cached_tokens: 0 } }, 5_020],
    ['what went into the cache', { usage: { cache_creation_tokens: 0 } }, 4_900],
  ])('with another value for %s', (_name, overrides, expected) => {
    expect(newAmount(aRow(cached, byRatio), overrides)).toBe(expected);
  });
  test('keeps the price of tools under a price per call', () => {
    const row = aRow(aUsage({ webSearches: 1 }), aRatioQuote({ tools }));
    // 35 USD for a thousand searches, at 500,000 units each.
    expect(newAmount(row, { model_price: 2 })).toBe(2_000 + 17_500);
  });
  test('becomes a quote of a price and nothing else', () => {
    const { items } = under(aRow(cached, byRatio), { model_price: '0.01' });
    expect(items[0]?.quote).toStrictEqual({
      kind: 'price',
      model: 'gpt-4o',
      modelPrice: '0.01',
      groupRatio: '1',
      quotaPerUnit: 500_000,
    });
  });
});

describe('a charge by the call', () => {
  test.each<[string, object, number]>([
    ['nothing', {}, 20_000],
    ['the price', { model_price: '0.02' }, 10_000],
    ['the ratio of the group', { group_ratio: '0.5' }, 10_000],
    ['the ratio of output alone, which it has none of', { completion_ratio: 3 }, 20_000],
    // 860, 100 cached at 1, 40 at 1.25 and 500 of output at 1, twice.
    ['the ratio of the model', { model_ratio: 2 }, 3_020],
  ])('with another value for %s', (_name, overrides, expected) => {
    expect(newAmount(aRow(cached, perCall), overrides)).toBe(expected);
  });
  test('becomes a quote of ratios and nothing else', () => {
    const { items } = under(aRow(cached, perCall), { model_ratio: 2 });
    expect(items[0]?.quote).toStrictEqual({
      kind: 'ratio',
      model: 'dall-e-3',
      modelRatio: '2',
      completionRatio: '1',
      cacheRatio: '1',
      cacheCreationRatio: '1.25',
      groupRatio: '1',
    });
  });
  test('of a task stays one of a task', () => {
    const task = under(aRow(cached, aPriceQuote({ flat: true })), { model_price: '0.02' });
    expect(task.items[0]?.quote).toMatchObject({ flat: true });
    const call = under(aRow(cached, perCall), { model_price: '0.02' });
    expect(call.items[0]?.quote).not.toHaveProperty('flat');
  });
});

describe('sound and pictures of a prompt', () => {
  const mixed = aUsage({
    promptTokens: 500,
    cachedTokens: 100,
    audioInputTokens: 400,
    cachedAudioTokens: 100,
    imageInputTokens: 100,
  });
  const row = aRow(mixed, audio);
  test('fit into 500 tokens, with 100 of the sound cached, and not into 499', () => {
    expect(under(row, {}).difference).toBe(0);
    expect(() => under(row, { usage: { prompt_tokens: 499 } })).toThrow();
  });
});

describe('the answer', () => {
  test('counts a charge of nothing as 0', () => {
    const row = { ...aRow(cached, byRatio), delta: 0 };
    expect(under(row, {}).items[0]?.old_amount).toBe(0);
    expect(under({ ...row, delta: -1 }, {}).items[0]?.old_amount).toBe(1);
  });
  test('names the ids that are no charge of this account', () => {
    const body = repriceBody.parse({
      user_id: 1,
      event_ids: ['e1', 'e2'],
      request_ids: ['r1', 'r2'],
    });
    expect(repriceAll([aRow(cached, byRatio)], body, 1_000).unknown).toEqual(['e2', 'r2']);
  });
});
