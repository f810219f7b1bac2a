import { gatewayError } from '../ingress/api-error.ts';

/* Why sessions and their answers end before anybody wished it. */
export const broke = gatewayError(502, 'upstream_disconnected', 'The upstream closed the session');
export const unreadable = gatewayError(
  502,
  'bad_response_body',
  'The upstream sent what is no event',
);
export const silent = gatewayError(
  504,
  'session_timeout',
  'The session was silent or open for too long',
);
export const leaving = gatewayError(
  503,
  'relay_stopping',
  'The relay is stopping; open a new session',
);
export const gone = gatewayError(499, 'client_closed_request', 'The client went away');
export const failedTurn = gatewayError(
  502,
  'response_failed',
  'The upstream failed on this answer',
);
export const noScript = gatewayError(
  400,
  'session_type_not_allowed',
  'Sessions that only write down what is said are not offered here',
);
