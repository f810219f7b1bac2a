import type { ApiError } from '../../../protocol/api-error.ts';
import type { JsonObject } from '../../../protocol/canonical.ts';
import { defined, objectsAt, textAt } from '../../../protocol/json.ts';
import { errorObject } from '../failure.ts';

const finishes: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

/** A stop reason in OpenAI's terms; unknown ones count as a normal end. */
export const finishOf = (stopReason: unknown): string => finishes[String(stopReason)] ?? 'stop';

/** HTTP statuses of error types, for errors inside a stream. */
const statuses: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/** null when the object is no error. */
export const claudeError = (body: JsonObject): ApiError | null => {
  const error = errorObject(body.error, 502);
  return error === null ? null : { ...error, status: statuses[error.type] ?? 502 };
};

/** Web citations of a text that begins at `offset` of the whole content, as OpenAI annotates. */
export const annotationsOf = (block: JsonObject, offset: number): readonly JsonObject[] =>
  objectsAt(block, 'citations')
    .filter((citation) => textAt(citation, 'url') !== '')
    .map((citation) => ({
      type: 'url_citation',
      url_citation: defined({
        url: citation.url,
        title: citation.title,
        start_index: offset,
        end_index: offset + textAt(block, 'text').length,
      }),
    }));

export const signedDetail = (index: number, members: JsonObject): JsonObject => ({
  type: 'reasoning.text',
  ...members,
  format: 'anthropic-claude-v1',
  index,
});

export const sealedDetail = (index: number, data: unknown): JsonObject => ({
  type: 'reasoning.encrypted',
  data,
  format: 'anthropic-claude-v1',
  index,
});
