import { orRefusal } from '../../providers/shared/refusal.ts';
import type { JsonObject } from '../../providers/translate.ts';
import type { ApiError } from '../api-error.ts';
import { chatOf, type GeminiCall } from './request.ts';

export { embeddingsOf, embeddingsReplyOf } from './embeddings.ts';
export { contentReplyOf } from './reply.ts';
export type { GeminiCall } from './request.ts';
export { createContentStream } from './stream.ts';
export { errorOf } from './words.ts';

/** A generateContent body as OpenAI's chat, or why it cannot be one. */
export const chatFromContents = (call: GeminiCall): Promise<JsonObject | ApiError> =>
  orRefusal(() => chatOf(call));
