import { gatewayError } from '../protocol/api-error.ts';

/* Errors that end a session or a response early. */
export const upstreamClosed = gatewayError(
  502,
  'upstream_disconnected',
  'The upstream closed the session',
);
export const unreadableEvent = gatewayError(
  502,
  'bad_response_body',
  'The upstream sent what is no event',
);
export const sessionTimedOut = gatewayError(
  504,
  'session_timeout',
  'The session was silent or open for too long',
);
export const relayStopping = gatewayError(
  503,
  'relay_stopping',
  'The relay is stopping; open a new session',
);
export const clientClosed = gatewayError(499, 'client_closed_request', 'The client went away');
export const responseFailed = gatewayError(
  502,
  'response_failed',
  'The upstream failed on this answer',
);
export const transcriptionNotOffered = gatewayError(
  400,
  'session_type_not_allowed',
  'Transcription-only sessions are not supported',
);
export const translationNotOffered = gatewayError(
  400,
  'session_type_not_allowed',
  'Sessions that translate are not offered here',
);
