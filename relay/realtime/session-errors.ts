import { relayError } from '../protocol/relay-errors.ts';

/* Errors that end a session or a response early. */
export const upstreamClosed = relayError('upstream_disconnected');
export const unreadableEvent = relayError(
  'bad_response_body',
  'The upstream sent what is no event',
);
export const sessionTimedOut = relayError('session_timeout');
export const relayStopping = relayError('relay_stopping');
export const clientClosed = relayError('client_closed_request');
export const responseFailed = relayError('response_failed');
export const transcriptionNotOffered = relayError(
  'session_type_not_allowed',
  'Transcription-only sessions are not supported',
);
export const translationNotOffered = relayError(
  'session_type_not_allowed',
  'Sessions that translate are not offered here',
);
