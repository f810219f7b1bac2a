import { minimax as facts } from '../../../domain/channel/providers/minimax.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, parseObject, without } from '../../protocol/json.ts';
import { upstreamFailure } from '../shared/failure.ts';
import { openAiLike } from '../shared/openai-like.ts';
import { withSpeech } from '../shared/speech.ts';
import type { TranslatingAdapter } from '../translate.ts';
import { refusal } from './refusal.ts';
import { miniMaxSpeech } from './speech.ts';

/** The last event repeats the whole message, which the caller has had. */
const streamChoice = (choice: JsonObject): JsonObject => ({
  ...without(choice, ['message']),
  delta: isObject(choice.delta) ? choice.delta : {},
});

const chat = openAiLike({
  operations: ['chat'],
  baseUrl: facts.baseUrl,
  path: () => '/v1/text/chatcompletion_v2',
  streamUsage: 'keep',
  refusal,
  streamChoice,
  chunk: (chunk) =>
    Array.isArray(chunk.choices) ? { ...chunk, object: 'chat.completion.chunk' } : chunk,
  failure: (reply) =>
    refusal(parseObject(reply.body.toString('utf8')) ?? {}) ?? upstreamFailure(reply),
});

/** MiniMax (type 35). */
export const miniMax: TranslatingAdapter = withSpeech(chat, miniMaxSpeech);
