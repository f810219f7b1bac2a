import type { ReportedUsage } from '../../../domain/pricing/bound-usage.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, numberAt } from '../../protocol/json.ts';
import { usageObject } from './openai-chunks.ts';

/** A provider's report: as it counts for the bill, and as the caller is shown it. */
export type UsageReport = Readonly<{ reported: ReportedUsage; shown: JsonObject }>;

/** What a provider calls its counts. */
export type UsageNames = Readonly<{ prompt: string; completion: string; total: string }>;

const openAiNames: UsageNames = {
  prompt: 'prompt_tokens',
  completion: 'completion_tokens',
  total: 'total_tokens',
};

/** Present when prompt or completion is anything but 0. A missing count follows from the total. */
export const usageReport = (
  usage: unknown,
  names: UsageNames = openAiNames,
): UsageReport | null => {
  if (!isObject(usage)) return null;
  const total = numberAt(usage, names.total);
  const prompt = numberAt(usage, names.prompt) ?? 0;
  const completion = numberAt(usage, names.completion) ?? Math.max(0, (total ?? 0) - prompt);
  if (prompt === 0 && completion === 0) return null;
  return {
    reported: { promptTokens: prompt, completionTokens: completion },
    shown: usageObject({ prompt, completion, ...(total === null ? {} : { total }) }),
  };
};

/** For providers that count input alone: embeddings and ranking. */
export const inputUsage = (tokens: number | null): UsageReport | null =>
  tokens === null || tokens === 0
    ? null
    : {
        reported: { promptTokens: tokens, completionTokens: 0 },
        shown: { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens },
      };
