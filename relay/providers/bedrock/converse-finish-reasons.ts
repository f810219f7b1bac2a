import type { ReportedUsage } from '../../../domain/pricing/bound-usage.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { numberAt } from '../../protocol/json.ts';
import { usageObject } from '../shared/openai-chunks.ts';

const finishes: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  guardrail_intervened: 'content_filter',
  content_filtered: 'content_filter',
};

export const converseFinish = (reason: unknown): string => finishes[String(reason)] ?? 'stop';

/** Cache counts are separate from `inputTokens`, not part of it. */
export const reportedConverse = (usage: JsonObject): ReportedUsage | null => {
  const { inputTokens, outputTokens } = usage;
  if (!(Number(inputTokens) > 0) && !(Number(outputTokens) > 0)) return null;
  return {
    promptTokens: inputTokens,
    completionTokens: outputTokens,
    cachedTokens: usage.cacheReadInputTokens,
    cacheCreationTokens: usage.cacheWriteInputTokens,
    cacheApart: true,
  };
};

export const shownConverse = (usage: JsonObject): JsonObject => {
  const cached = numberAt(usage, 'cacheReadInputTokens') ?? 0;
  const cacheCreation = numberAt(usage, 'cacheWriteInputTokens') ?? 0;
  return usageObject({
    prompt: (numberAt(usage, 'inputTokens') ?? 0) + cached + cacheCreation,
    completion: numberAt(usage, 'outputTokens') ?? 0,
    ...(cached + cacheCreation === 0 ? {} : { cached, cacheCreation }),
  });
};
