import type { ReportedUsage } from '../../../domain/pricing/bound-usage.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { objectAt } from '../../protocol/json.ts';
import { completionOf } from './reasoning-beside.ts';

const isReported = (value: unknown): boolean => typeof value === 'number' && value !== 0;

/** Cache writes have no agreed place; these are the ones in use. */
const cacheWrites = (usage: JsonObject): unknown => {
  const details = objectAt(usage, 'prompt_tokens_details');
  return (
    details.cached_creation_tokens ??
    details.cache_creation_tokens ??
    details.cache_creation_input_tokens
  );
};

const cacheReads = (usage: JsonObject): unknown =>
  objectAt(usage, 'prompt_tokens_details').cached_tokens ??
  usage.prompt_cache_hit_tokens ??
  usage.cached_tokens;

/** The same object with cache reads and reasoning where OpenAI has them, for other protocols. */
export const withAgreedUsage = (usage: JsonObject): JsonObject => {
  const details = objectAt(usage, 'prompt_tokens_details');
  const cached = cacheReads(usage);
  const completion = completionOf(usage);
  const hasReads = typeof cached !== 'number' || details.cached_tokens !== undefined;
  if (hasReads && completion === usage.completion_tokens) return usage;
  return {
    ...usage,
    completion_tokens: completion,
    ...(hasReads ? {} : { prompt_tokens_details: { ...details, cached_tokens: cached } }),
  };
};

/** A usage object of OpenAI's shape in our terms; null when it contains nothing. */
export const reportedUsage = (usage: JsonObject | null): ReportedUsage | null => {
  if (usage === null) return null;
  const prompt = usage.prompt_tokens ?? usage.input_tokens;
  const completion = completionOf(usage) ?? usage.output_tokens;
  if (!isReported(prompt) && !isReported(completion)) {
    // Some servers fill the total alone.
    const total = usage.total_tokens;
    return isReported(total) ? { promptTokens: total, completionTokens: 0 } : null;
  }
  return {
    promptTokens: prompt,
    completionTokens: completion,
    reasoningTokens: objectAt(usage, 'completion_tokens_details').reasoning_tokens,
    cachedTokens: cacheReads(usage),
    cacheCreationTokens: cacheWrites(usage),
    audioInputTokens: objectAt(usage, 'prompt_tokens_details').audio_tokens,
    imageInputTokens: objectAt(usage, 'prompt_tokens_details').image_tokens,
    audioOutputTokens: objectAt(usage, 'completion_tokens_details').audio_tokens,
  };
};
