import type { IncomingMessage } from 'node:http';

/**
 * Bytes of the body are still to come: the connection cannot be used for another request. A request
 * without a body counts as complete only some time after its handler was called.
 */
export const hasUnreadBody = ({ complete, headers }: IncomingMessage): boolean =>
  !complete &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);
