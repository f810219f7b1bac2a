import { describe, expect, test } from 'vitest';
import { boundTermsOf } from '../../tests/support/bound-examples.ts';
import { aUsage } from '../../tests/support/pricing-examples.ts';
import { countedUsage, saysNothing, withOwnCounts } from './counted-usage.ts';
import type { Counting } from './counting.ts';
import { maxTokensOf, noOutput } from './output-size.ts';
import { roughPromptTokens, roughTokens } from './rough-tokens.ts';

/** Eleven tokens in every prompt; a text has a token for each letter. */
const counting: Counting = {
  prompt: async () => 11,
  billedPrompt: async ({ model, userId }) => (model === 'gpt-4o' && userId === 7 ? 11 : 0),
  billedText: async ({ text, model, userId }) =>
    model === 'gpt-4o' && userId === 7 ? text.length : 0,
};
const counter = { counting, model: 'gpt-4o', userId: 7 };
const none = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, cacheCreationTokens: 0 };

const counted = (
  example: Parameters<typeof boundTermsOf>[0],
  produced: string | number = 'twelve chars',
) => {
  const { attempt, outputLimit, outputSize, ...agreed } = boundTermsOf(example);
  if (attempt === null) throw new Error('an answer has a channel');
  return countedUsage(agreed, { produced, outputLimit, attempt, outputSize }, counter);
};

describe('an answer whose provider reports nothing', () => {
  test('is charged for its prompt and its text', async () => {
    expect(await counted({})).toEqual({ ...none, promptTokens: 11, completionTokens: 12 });
  });
  test('is charged by the estimate where its text was not kept', async () => {
    expect(await counted({}, 9_000)).toMatchObject({ promptTokens: 11, completionTokens: 9_000 });
  });
  test('is not charged beyond the limit of the caller, a tenth and 64 more', async () => {
    expect(await counted({ limit: 100 }, 9_000)).toMatchObject({ completionTokens: 174 });
    expect(await counted({ limit: 100 }, 90)).toMatchObject({ completionTokens: 90 });
  });
  test('has the search that its model always does', async () => {
    const example = { model: 'gpt-4o-search-preview', tools: true };
    expect(await counted(example)).toMatchObject({ promptTokens: 11, webSearches: 1 });
  });
  test('is charged for its pictures alone, whatever the body contains', async () => {
    const example = {
      operation: 'images',
      media: { pictures: 2 },
      members: { input: 'x' },
    } as const;
    expect(await counted(example)).toEqual({ ...none, pictures: 2 });
  });
  test('is charged for no prompt where no pictures were requested', async () => {
    const example = {
      operation: 'images',
      media: { pictures: 0 },
      members: { input: 'x' },
    } as const;
    expect(await counted(example)).toEqual(none);
  });
  test('is charged for the text to be spoken', async () => {
    const spoken = { operation: 'speech', media: { pictures: 0 } } as const;
    const textOf = async (members: object) => (await counted({ ...spoken, members })).promptTokens;
    expect(await textOf({ input: 'hello' })).toBe(5);
    expect(await textOf({ input: ['hello'] })).toBe(0);
    expect(await textOf({})).toBe(0);
  });
  test('is charged for the length of the audio where that can be read', async () => {
    const example = {
      operation: 'transcription',
      media: { pictures: 0, inputTokens: 60 },
    } as const;
    expect(await counted(example)).toEqual({ ...none, promptTokens: 60 });
  });
});

describe('the facts of a call without its provider', () => {
  const own = (example: Parameters<typeof boundTermsOf>[0], usage = aUsage()) =>
    withOwnCounts(usage, boundTermsOf(example));

  test('pictures are counted in addition to the tokens that drawing them took', () => {
    const example = { operation: 'images', media: { pictures: 3 } } as const;
    expect(own(example, aUsage({ completionTokens: 1 }))).toEqual({
      ...aUsage({ completionTokens: 1 }),
      pictures: 3,
    });
    expect(own(example, aUsage({ completionTokens: 0 }))).toEqual({ ...none, pictures: 3 });
  });
  test('no pictures change nothing', () => {
    expect(own({ operation: 'speech', media: { pictures: 0 } })).toEqual(aUsage());
  });
  test('one picture is a picture', () => {
    expect(own({ operation: 'images', media: { pictures: 1 } }).pictures).toBe(1);
  });

  const searching = { model: 'gpt-4o-search-preview', tools: true } as const;
  test('a model that always searches has searched at least once', () => {
    expect(own(searching).webSearches).toBe(1);
    expect(own(searching, aUsage({ webSearches: 3 })).webSearches).toBe(3);
  });
  test.each([
    ['where tools have no price', { model: 'gpt-4o-search-preview' }],
    ['where it is no chat', { ...searching, operation: 'completions' as const }],
    ['where the model does not', { model: 'gpt-4o', tools: true }],
  ])('no search is added %s', (_name, example) => {
    expect(own(example)).toEqual(aUsage());
  });
});

test('a report that had to be changed and names no tokens cannot be billed', () => {
  const note = 'completion tokens NaN taken as 0';
  expect(saysNothing(none, note)).toBe(true);
  expect(saysNothing({ ...none, promptTokens: 5, completionTokens: 5 }, note)).toBe(false);
  expect(saysNothing({ ...none, completionTokens: 1 }, note)).toBe(false);
  expect(saysNothing(none, null)).toBe(false);
});

describe('estimates', () => {
  test('a text takes a token for four letters of ASCII, or for one of another script', () => {
    expect(roughTokens('abcdefgh')).toBe(2);
    expect(roughTokens('\u007f\u007f\u007f\u007f')).toBe(1);
    expect(roughTokens('\u0080')).toBe(1);
    expect(roughTokens('abcd好的')).toBe(3);
  });
  test('a prompt takes a token for three bytes, and 1,100 for a picture', () => {
    expect(roughPromptTokens(10, { blobBytes: 0, blobs: 0 })).toBe(4);
    expect(roughPromptTokens(5_009, { blobBytes: 5_000, blobs: 2 })).toBe(2_203);
  });
  test('a text has no more tokens than bytes, an estimate of one no more than four of each', () => {
    expect(maxTokensOf('好')).toBe(3);
    expect(maxTokensOf(5)).toBe(20);
  });
  test('where nothing passed, nothing can have been produced', () => {
    const sizes = [noOutput.roughTokens(), noOutput.maxTokens(), noOutput.maxThoughtTokens()];
    expect(sizes).toEqual([0, 0, 0]);
  });
});
