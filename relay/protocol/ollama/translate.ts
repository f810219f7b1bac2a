import type { ApiError } from '../api-error.ts';
import type { JsonObject } from '../canonical.ts';
import { orRefusal } from '../refusal.ts';
import { chatOf, embeddingsOf, type OllamaCall } from './request.ts';

export { chatReplyOf, embeddingsReplyOf, type LineHead } from './reply.ts';
export { createLines } from './stream.ts';

/** A body of a chat, a prompt or texts to embed in OpenAI's shape, or why it cannot be one. */
export const openAiFromOllama = (
  operation: 'chat' | 'embeddings',
  call: OllamaCall,
): Promise<JsonObject | ApiError> =>
  orRefusal(() =>
    operation === 'embeddings' ? embeddingsOf(call.body, call.isOwn) : chatOf(call),
  );
