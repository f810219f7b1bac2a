import type { ApiError } from '../api-error.ts';
import type { JsonObject } from '../canonical.ts';
import type { ChatDialect } from '../chat-dialect.ts';
import { orRefusal } from '../refusal.ts';
import { chatOf } from './request.ts';

export { messageOf } from './reply.ts';
export {
  createMessageStream,
  encodeEvent,
  type MessageEvent,
} from './stream.ts';

/** A Messages body as OpenAI's chat, or why it cannot be one. */
export const chatFromMessages = (
  body: JsonObject,
  dialect: ChatDialect,
): Promise<JsonObject | ApiError> => orRefusal(() => chatOf(body, dialect));
