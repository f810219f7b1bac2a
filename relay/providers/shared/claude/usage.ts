import type { ReportedUsage } from '../../../../domain/pricing/bound-usage.ts';
import type { JsonObject } from '../../../protocol/canonical.ts';
import { defined, isObject, numberAt, objectAt } from '../../../protocol/json.ts';
import { usageObject } from '../openai-chunks.ts';

const count = (usage: JsonObject, member: string): number =>
  Math.max(0, numberAt(usage, member) ?? 0);

/**
 * Anthropic counts cache reads and writes outside of `input_tokens`. null: nothing was reported.
 */
export const reportedClaude = (usage: JsonObject): ReportedUsage | null => {
  const { input_tokens: input, output_tokens: output } = usage;
  const reads = usage.cache_read_input_tokens;
  const writes = usage.cache_creation_input_tokens;
  const isSilent = [input, output, reads, writes].every((own) => (own ?? 0) === 0);
  if (isSilent) return null;
  return {
    promptTokens: input,
    completionTokens: output,
    cachedTokens: reads,
    cacheCreationTokens: writes,
    cacheApart: true,
    webSearches: objectAt(usage, 'server_tool_use').web_search_requests,
  };
};

/** The same in OpenAI's terms, where the prompt holds all three buckets. */
export const shownClaude = (usage: JsonObject): JsonObject => {
  const cached = count(usage, 'cache_read_input_tokens');
  const written = count(usage, 'cache_creation_input_tokens');
  const isCaching = cached > 0 || written > 0;
  return defined({
    ...usageObject({
      prompt: count(usage, 'input_tokens') + cached + written,
      completion: count(usage, 'output_tokens'),
      ...(isCaching ? { cached, cacheCreation: written } : {}),
    }),
    cache_creation: isObject(usage.cache_creation) ? usage.cache_creation : undefined,
    server_tool_use: isObject(usage.server_tool_use) ? usage.server_tool_use : undefined,
  });
};
