import type { IncomingMessage } from 'node:http';

/** A body follows the head, or has followed it. */
export const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Bytes of the body are still expected: the connection cannot be used for another request. A
 * request without a body counts as complete only some time after its handler was called.
 */
export const hasUnreadBody = (req: IncomingMessage): boolean => !req.complete && announcesBody(req);
