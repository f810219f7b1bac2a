import type { ApiError } from '../../protocol/api-error.ts';
import type { RefusalCause } from '../types.ts';

/** Of `google.rpc.ErrorInfo` (google/api/error_reason.proto). */
const keyReasons: ReadonlySet<string> = new Set([
  ...['API_KEY_INVALID', 'API_KEY_SERVICE_BLOCKED', 'CONSUMER_SUSPENDED', 'SERVICE_DISABLED'],
]);
/** From their start, since callers' own names are further inside some messages. */
const keyMessage = /^(?:API key (?:not valid|expired)|Your API key was reported as leaked)/i;
/** A file or cache that the caller named: it is gone, or belongs to another account. */
const callersMessage =
  /^You do not have permission to access the \w+ .*or it may not exist|^\w+ not found \(or permission denied\)/i;

export const refusalCause = ({ message, reason }: ApiError): RefusalCause | null => {
  if (keyReasons.has(reason ?? '') || keyMessage.test(message)) return 'key';
  return callersMessage.test(message) ? 'caller' : null;
};
