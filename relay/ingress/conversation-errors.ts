import { type Conversation, fitsGiven } from '../kept-responses/conversation-items.ts';
import { type ApiError, gatewayError } from '../protocol/api-error.ts';

const invalid = (code: string, message: string, param: string | null): ApiError => ({
  ...gatewayError(400, code, message),
  type: 'invalid_request_error',
  param,
});

const missing = (message: string): ApiError => ({
  ...{ status: 404, message, type: 'invalid_request_error', param: null, code: null },
});

/** Of an unknown conversation, an expired one, another user's. */
export const notFound = (id: string): ApiError =>
  missing(`Conversation with id '${id.slice(0, 256)}' not found.`);

export const itemNotFound = (id: string): ApiError =>
  missing(`Conversation item with id '${id.slice(0, 256)}' not found.`);

export const badConversation = invalid(
  'invalid_type',
  "Invalid type for 'conversation': expected a conversation id or an object with one.",
  'conversation',
);

export const exclusive = invalid(
  'mutually_exclusive_parameters',
  "Mutually exclusive parameters: 'previous_response_id' and 'conversation'. Ensure you are only providing one of: 'previous_response_id' or 'conversation'.",
  null,
);

export const inBackground = invalid(
  'unsupported_parameter',
  'background is not available in a conversation',
  'background',
);

export const notKept = invalid(
  'conversations_not_kept',
  'Conversations are not kept by this gateway',
  'conversation',
);

const full = invalid(
  'conversation_full',
  'The conversation is as long as it may be: begin a new one, or delete items of it',
  'conversation',
);

/** Why nothing more can be added; null: it can. */
export const conversationFull = (longer: Conversation): ApiError | null =>
  longer.isFull || !fitsGiven(longer) ? full : null;

export const badBody = (message: string, param: string | null): ApiError =>
  invalid('invalid_value', message, param);
