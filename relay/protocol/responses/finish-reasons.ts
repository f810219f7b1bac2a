import type { JsonObject } from '../canonical.ts';
import { numberAt, objectAt } from '../json.ts';

const incomplete: Readonly<Record<string, string>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
};

/** Why an answer is not whole; null: it is. */
export const incompleteReason = (finish: unknown): string | null =>
  incomplete[String(finish)] ?? null;

export const usageOf = (usage: JsonObject): JsonObject => {
  const details = objectAt(usage, 'prompt_tokens_details');
  const input = numberAt(usage, 'prompt_tokens') ?? 0;
  const output = numberAt(usage, 'completion_tokens') ?? 0;
  const thoughts = numberAt(objectAt(usage, 'completion_tokens_details'), 'reasoning_tokens');
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: numberAt(details, 'cached_tokens') ?? 0,
      cache_write_tokens: numberAt(details, 'cached_creation_tokens') ?? 0,
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: thoughts ?? 0 },
    total_tokens: numberAt(usage, 'total_tokens') ?? input + output,
  };
};

const codes: Readonly<Record<number, string>> = { 429: 'rate_limit_exceeded' };

/** The code of an error that ends a response: the protocol has a short list of them. */
export const errorCodeOf = (status: number): string => codes[status] ?? 'server_error';
