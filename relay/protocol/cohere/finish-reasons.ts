import type { ApiError } from '../api-error.ts';
import type { JsonObject } from '../canonical.ts';
import { defined, numberAt, objectAt } from '../json.ts';

const reasons: Readonly<Record<string, string>> = {
  stop: 'COMPLETE',
  length: 'MAX_TOKENS',
  tool_calls: 'TOOL_CALL',
  function_call: 'TOOL_CALL',
  content_filter: 'ERROR',
};

/** `word` is the stop word that ended the answer, where the provider reports it. */
export const finishReasonOf = (finish: unknown, word: unknown): string =>
  finish === 'stop' && typeof word === 'string' && word !== ''
    ? 'STOP_SEQUENCE'
    : (reasons[String(finish)] ?? 'COMPLETE');

export const usageOf = (usage: JsonObject): JsonObject => {
  const counts = {
    input_tokens: numberAt(usage, 'prompt_tokens') ?? 0,
    output_tokens: numberAt(usage, 'completion_tokens') ?? 0,
  };
  const cached = numberAt(objectAt(usage, 'prompt_tokens_details'), 'cached_tokens');
  return defined({ billed_units: counts, tokens: counts, cached_tokens: cached ?? undefined });
};

/** An error as this protocol writes it. */
export const errorOf = ({ message }: ApiError, requestId: string): JsonObject => ({
  id: requestId,
  message,
});
