import type { ApiError } from '../api-error.ts';
import type { JsonObject } from '../canonical.ts';
import { orRefusal } from '../refusal.ts';
import { chatOf, type GeminiCall } from './request.ts';

export { embeddingsOf, embeddingsReplyOf } from './embeddings.ts';
export { contentReplyOf } from './reply.ts';
export type { GeminiCall } from './request.ts';
export { createContentStream } from './stream.ts';

/** A generateContent body as OpenAI's chat, or why it cannot be one. */
export const chatFromContents = (call: GeminiCall): Promise<JsonObject | ApiError> =>
  orRefusal(() => chatOf(call));
