import { describe, expect, test } from 'vitest';
import type { Quote, Usage } from '../../domain/pricing/types.ts';
import { aPriceQuote, aRatioQuote, aUsage } from '../../tests/support/pricing-examples.ts';
import { logOther } from '../contract/log.ts';
import type { ConsumeDetails } from './details.ts';
import { otherOf } from './other.ts';

const otherFor = (usage: Usage, quote: Quote, more: Partial<ConsumeDetails> = {}) => {
  const details: ConsumeDetails = {
    kind: 'consume',
    usage,
    quote,
    end: 'complete',
    usageSource: 'upstream',
    usageNote: null,
    upstreamModel: null,
    firstByteMs: null,
    channelsTried: [1],
    ...more,
  };
  return logOther.parse(JSON.parse(otherOf(details, false)));
};

const tools = { webSearch: '35', fileSearch: '2.5', quotaPerUnit: 500_000 };

describe('what an entry contains in addition to its columns', () => {
  test('is nothing of sound, pictures and tools for a call of text', () => {
    expect(Object.keys(otherFor(aUsage(), aRatioQuote())).sort()).toEqual([
      ...['cache_creation_ratio', 'cache_creation_tokens', 'cache_ratio', 'cache_tokens'],
      ...['completion_ratio', 'frt', 'group_ratio', 'model_price', 'model_ratio', 'price_steps'],
    ]);
  });

  test('is sound apart from text, with its ratios', () => {
    const usage = aUsage({ audioInputTokens: 400, audioOutputTokens: 100 });
    const quote = aRatioQuote({ audioRatio: '40', audioCompletionRatio: '2' });
    expect(otherFor(usage, quote)).toMatchObject({
      audio: true,
      audio_input: 400,
      audio_output: 100,
      text_input: 600,
      text_output: 400,
      audio_ratio: 40,
      audio_completion_ratio: 2,
    });
  });

  test('is input pictures and generated pictures', () => {
    const seen = otherFor(aUsage({ imageInputTokens: 300 }), aRatioQuote({ imageRatio: '2' }));
    expect(seen).toMatchObject({ image: true, image_output: 300, image_ratio: 2 });
    const ratios = { sizeRatio: '2', qualityRatio: '1.5', quotaPerUnit: 500_000 };
    const picture = { size: '1024x1792', quality: 'hd', ...ratios };
    const made = otherFor(aUsage({ pictures: 2 }), aPriceQuote({ picture }));
    expect(made).toMatchObject({
      model_price: 0.04,
      image_count: 2,
      image_size: '1024x1792',
      image_quality: 'hd',
    });
  });

  test('is searches with their number and price', () => {
    const usage = aUsage({ webSearches: 2, fileSearches: 1 });
    expect(otherFor(usage, aRatioQuote({ tools }))).toMatchObject({
      web_search: true,
      web_search_call_count: 2,
      web_search_price: 35,
      file_search: true,
      file_search_call_count: 1,
      file_search_price: 2.5,
    });
  });

  test('is the requested reasoning effort', () => {
    const other = otherFor(aUsage(), aRatioQuote(), { reasoningEffort: 'high' });
    expect(other.reasoning_effort).toBe('high');
  });
});
