import { type Conversation, fitsGiven } from '../kept-responses/conversation-items.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { callError } from '../protocol/relay-errors.ts';

const missing = (message: string): ApiError => ({
  ...callError('not_found', message),
  code: null,
});

/** Of an unknown conversation, an expired one, another user's. */
export const notFound = (id: string): ApiError =>
  missing(`Conversation with id '${id.slice(0, 256)}' not found.`);

export const itemNotFound = (id: string): ApiError =>
  missing(`Conversation item with id '${id.slice(0, 256)}' not found.`);

export const badConversation = callError(
  'invalid_type',
  "Invalid type for 'conversation': expected a conversation id or an object with one.",
  'conversation',
);

export const exclusive = callError(
  'mutually_exclusive_parameters',
  "Mutually exclusive parameters: 'previous_response_id' and 'conversation'. Ensure you are only providing one of: 'previous_response_id' or 'conversation'.",
  null,
);

export const inBackground = callError(
  'unsupported_parameter',
  'background is not available in a conversation',
  'background',
);

export const notKept = callError(
  'conversations_not_kept',
  'Conversations are not kept by this gateway',
  'conversation',
);

const full = callError(
  'conversation_full',
  'The conversation is as long as it may be: begin a new one, or delete items of it',
  'conversation',
);

/** Why nothing more can be added; null: it can. */
export const conversationFull = (longer: Conversation): ApiError | null =>
  longer.isFull || !fitsGiven(longer) ? full : null;

export const badBody = (message: string, param: string | null): ApiError =>
  callError('invalid_value', message, param);
