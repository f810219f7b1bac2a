import type { ApiError } from '../api-error.ts';
import type { JsonObject } from '../canonical.ts';
import { numberAt, objectAt } from '../json.ts';

const stopReasons: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'refusal',
};

export type Stop = Readonly<{ stop_reason: string; stop_sequence: string | null }>;

/** `word` is the stop word that ended the answer, where the provider reports it. */
export const stopOf = (finish: unknown, word: unknown): Stop =>
  finish === 'stop' && typeof word === 'string' && word !== ''
    ? { stop_reason: 'stop_sequence', stop_sequence: word }
    : { stop_reason: stopReasons[String(finish)] ?? 'end_turn', stop_sequence: null };

/** Here the cache counts are separate from `input_tokens`; with OpenAI they are part of it. */
export const usageOf = (usage: JsonObject): JsonObject => {
  const details = objectAt(usage, 'prompt_tokens_details');
  const read = numberAt(details, 'cached_tokens') ?? 0;
  const written = numberAt(details, 'cached_creation_tokens') ?? 0;
  const prompt = numberAt(usage, 'prompt_tokens') ?? 0;
  return {
    input_tokens: Math.max(0, prompt - read - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: numberAt(usage, 'completion_tokens') ?? 0,
  };
};

const types: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};
const known: ReadonlySet<string> = new Set([...Object.values(types), 'api_error']);

const typeOf = ({ status, type }: ApiError): string => {
  if (known.has(type)) return type;
  return types[status] ?? (status >= 400 && status < 500 ? 'invalid_request_error' : 'api_error');
};

/** An error as this protocol writes it, alone or as an event of a stream. */
export const errorOf = (error: ApiError, requestId: string): JsonObject => ({
  type: 'error',
  error: { type: typeOf(error), message: error.message },
  request_id: requestId,
});
