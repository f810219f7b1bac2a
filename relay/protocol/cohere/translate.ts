import type { ApiError } from '../api-error.ts';
import type { JsonObject } from '../canonical.ts';
import { orRefusal } from '../refusal.ts';
import { type CohereCall, chatOf, embeddingsOf, rankingOf } from './request.ts';

export { chatReplyOf, embeddingsReplyOf, rankingReplyOf } from './reply.ts';
export { type ChatEvent, createChatEvents, encodeEvent } from './stream.ts';

type Operation = 'chat' | 'embeddings' | 'rerank';

/** A v2 body in OpenAI's shape, or why it cannot be one. */
export const openAiFromV2 = (
  operation: Operation,
  call: CohereCall,
): Promise<JsonObject | ApiError> =>
  orRefusal(() => {
    if (operation === 'rerank') return rankingOf(call.body, call.isOwn);
    return operation === 'embeddings' ? embeddingsOf(call.body, call.isOwn) : chatOf(call);
  });
