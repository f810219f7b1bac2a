import type { ApiError } from '../api-error.ts';
import type { JsonObject } from '../canonical.ts';
import type { ChatDialect } from '../chat-dialect.ts';
import { orRefusal } from '../refusal.ts';
import { chatOf } from './request.ts';

export { responseOf } from './reply.ts';
export {
  createResponseStream,
  encodeEvent,
  type ResponseEvent,
  type ResponseNames,
} from './stream.ts';
export { termsOf } from './terms.ts';

/** A Responses body as OpenAI's chat, or why it cannot be one. */
export const chatFromResponse = (
  body: JsonObject,
  dialect: ChatDialect,
): Promise<JsonObject | ApiError> => orRefusal(() => chatOf(body, dialect));
