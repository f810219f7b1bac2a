import type { ApiError } from '../api-error.ts';
import type { JsonObject } from '../canonical.ts';
import { defined, numberAt, objectAt } from '../json.ts';

const reasons: Readonly<Record<string, string>> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  function_call: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
};

export const finishReasonOf = (finish: unknown): string => reasons[String(finish)] ?? 'OTHER';

/**
 * Thoughts are counted apart from the candidates' tokens here; with OpenAI they are part of them.
 */
export const usageMetadataOf = (usage: JsonObject): JsonObject => {
  const thoughts = numberAt(objectAt(usage, 'completion_tokens_details'), 'reasoning_tokens');
  const completion = numberAt(usage, 'completion_tokens') ?? 0;
  const cached = numberAt(objectAt(usage, 'prompt_tokens_details'), 'cached_tokens');
  const prompt = numberAt(usage, 'prompt_tokens') ?? 0;
  return defined({
    promptTokenCount: prompt,
    candidatesTokenCount: Math.max(0, completion - (thoughts ?? 0)),
    thoughtsTokenCount: thoughts ?? undefined,
    cachedContentTokenCount: cached ?? undefined,
    totalTokenCount: numberAt(usage, 'total_tokens') ?? prompt + completion,
  });
};

const statuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'FAILED_PRECONDITION',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

const statusOf = (status: number): string =>
  statuses[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');

/** Clients of this protocol read here when to try again, and nowhere else. */
const retryInfo = (seconds: number): JsonObject => ({
  '@type': 'type.googleapis.com/google.rpc.RetryInfo',
  retryDelay: `${seconds}s`,
});

/** An error as this protocol writes it. */
export const errorOf = ({ status, message, retryAfterSeconds }: ApiError): JsonObject => ({
  error: defined({
    code: status,
    message,
    status: statusOf(status),
    details: retryAfterSeconds === undefined ? undefined : [retryInfo(retryAfterSeconds)],
  }),
});
