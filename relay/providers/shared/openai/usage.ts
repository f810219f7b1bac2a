import type { ReportedUsage } from '../../../../domain/pricing/bound-usage.ts';
import { completionOf } from '../reasoning-beside.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const detail = (usage: Fields, name: string, field: string): unknown => {
  const details = usage[name];
  return isFields(details) ? details[field] : undefined;
};

const isReported = (value: unknown): boolean => typeof value === 'number' && value !== 0;

/**
 * Usage as the family writes it. Cached tokens stand in `prompt_tokens_details`, or beside it as
 * `prompt_cache_hit_tokens`. Present when prompt or completion is anything but 0.
 */
export const openAiUsage = (reported: unknown): ReportedUsage | null => {
  if (!isFields(reported)) return null;
  const prompt = reported.prompt_tokens ?? reported.input_tokens;
  const completion = completionOf(reported) ?? reported.output_tokens;
  if (!isReported(prompt) && !isReported(completion)) {
    // Some embedding servers fill the total alone.
    const total = reported.total_tokens;
    return isReported(total) ? { promptTokens: total, completionTokens: 0 } : null;
  }
  return {
    promptTokens: prompt,
    completionTokens: completion,
    reasoningTokens: detail(reported, 'completion_tokens_details', 'reasoning_tokens'),
    cachedTokens:
      detail(reported, 'prompt_tokens_details', 'cached_tokens') ??
      reported.prompt_cache_hit_tokens,
    audioInputTokens: detail(reported, 'prompt_tokens_details', 'audio_tokens'),
    imageInputTokens: detail(reported, 'prompt_tokens_details', 'image_tokens'),
    audioOutputTokens: detail(reported, 'completion_tokens_details', 'audio_tokens'),
  };
};
