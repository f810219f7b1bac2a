import { expect, test } from 'vitest';
import { usageMetadataOf } from '../../protocol/gemini/finish-reasons.ts';
import { openAiUsage } from './openai/usage.ts';
import { reportedUsage, withAgreedUsage } from './openai-usage.ts';

const usageWith = (completion: number, total: number) => ({
  prompt_tokens: 12,
  completion_tokens: completion,
  total_tokens: total,
  completion_tokens_details: { reasoning_tokens: 320 },
});

test.each([
  ['left out of the completion, as the total says', usageWith(2, 334), 322],
  ['inside the completion', usageWith(322, 334), 322],
  ['inside, with a total that does not add up', usageWith(322, 400), 322],
])('reasoning %s is billed once', (_how, usage, billed) => {
  expect(openAiUsage(usage)?.completionTokens).toBe(billed);
  expect(reportedUsage(usage)?.completionTokens).toBe(billed);
});

test('callers of other protocols get the answer separate from the reasoning', () => {
  expect(usageMetadataOf(withAgreedUsage(usageWith(2, 334)))).toEqual({
    promptTokenCount: 12,
    candidatesTokenCount: 2,
    thoughtsTokenCount: 320,
    totalTokenCount: 334,
  });
});
