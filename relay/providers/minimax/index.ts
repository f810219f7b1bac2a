import type { ApiError } from '../../ingress/api-error.ts';
import { discreet, upstreamFailure } from '../shared/failure.ts';
import { isObject, numberAt, objectAt, parseObject, textAt, without } from '../shared/json.ts';
import { openAiLike } from '../shared/openai-like.ts';
import type { JsonObject, TranslatingAdapter } from '../translate.ts';

const statuses: ReadonlyMap<number, number> = new Map([
  [1000, 500],
  [1001, 504],
  [1002, 429],
  [1004, 401],
  [1008, 402],
  [1013, 500],
  [1026, 400],
  [1027, 400],
  [1039, 429],
  [1041, 429],
  [2013, 400],
  [2049, 401],
]);

/** Errors come with HTTP 200, beside an empty answer; null when there is none. */
const refusal = (body: JsonObject): ApiError | null => {
  const base = objectAt(body, 'base_resp');
  const code = numberAt(base, 'status_code') ?? 0;
  if (code === 0) return null;
  return {
    status: statuses.get(code) ?? 500,
    message: discreet(textAt(base, 'status_msg') || `error ${code}`),
    type: 'minimax_error',
    code,
  };
};

/** The last event repeats the whole message, which the caller has had. */
const streamChoice = (choice: JsonObject): JsonObject => ({
  ...without(choice, ['message']),
  delta: isObject(choice.delta) ? choice.delta : {},
});

/** MiniMax (type 35). */
export const miniMax: TranslatingAdapter = openAiLike({
  operations: ['chat'],
  baseUrl: 'https://api.minimax.chat',
  path: () => '/v1/text/chatcompletion_v2',
  streamUsage: 'keep',
  refusal,
  streamChoice,
  chunk: (chunk) =>
    Array.isArray(chunk.choices) ? { ...chunk, object: 'chat.completion.chunk' } : chunk,
  failure: (reply) =>
    refusal(parseObject(reply.body.toString('utf8')) ?? {}) ?? upstreamFailure(reply),
});
