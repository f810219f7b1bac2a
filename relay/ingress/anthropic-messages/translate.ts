import { orRefusal } from '../../providers/shared/refusal.ts';
import type { JsonObject } from '../../providers/translate.ts';
import type { ApiError } from '../api-error.ts';
import type { ChatDialect } from '../chat-dialect.ts';
import { chatOf } from './request.ts';

export { messageOf } from './reply.ts';
export {
  createMessageStream,
  encodeEvent,
  type MessageEvent,
} from './stream.ts';
export { errorOf } from './words.ts';

/** A Messages body as OpenAI's chat, or why it cannot be one. */
export const chatFromMessages = (
  body: JsonObject,
  dialect: ChatDialect,
): Promise<JsonObject | ApiError> => orRefusal(() => chatOf(body, dialect));
