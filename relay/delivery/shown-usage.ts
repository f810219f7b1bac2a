import type { Usage } from '../../domain/pricing/types.ts';
import type { JsonObject } from '../protocol/canonical.ts';

/** Usage in OpenAI's shape. */
export const shownUsage = (usage: Usage): JsonObject => ({
  prompt_tokens: usage.promptTokens,
  completion_tokens: usage.completionTokens,
  total_tokens: usage.promptTokens + usage.completionTokens,
});
