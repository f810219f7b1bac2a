import type { ServerResponse } from 'node:http';
import { hasUnreadBody } from '../../infra/web/unread-body.ts';
import { noteError } from './error-note.ts';

/**
 * Answers repeat texts of callers and providers on the console's origin: none of them may run as a
 * page there. Any page may read them, since a page can only read what its own key pays for.
 */
const answerHeaders = [
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Content-Security-Policy', "default-src 'none'; sandbox"],
  ...['Access-Control-Allow-Origin', '*'],
] as const;

export type Answering = Readonly<{ res: ServerResponse; requestId: string }>;

/** Starts an answer of the relay; the one place that does. `headers` are names and values in turn. */
export const writeAnswerHead = (
  { res, requestId }: Answering,
  status: number,
  headers: readonly string[],
): void => {
  const all = headers.concat(answerHeaders);
  all.push('X-Request-Id', requestId, 'X-Oneapi-Request-Id', requestId);
  // Clients of Messages read this one.
  if (res.req.url?.startsWith('/v1/messages') === true) all.push('Request-Id', requestId);
  res.writeHead(status, all);
};

/** Answers with JSON that is already written, unless the client is gone. */
export const sendBytes = (answering: Answering, status: number, body: Buffer): void => {
  const { res } = answering;
  if (res.headersSent || res.destroyed) return;
  const headers = ['Content-Type', 'application/json', 'Content-Length', String(body.length)];
  // A body that was not read to its end cannot be followed by another request.
  if (hasUnreadBody(res.req)) headers.push('Connection', 'close');
  writeAnswerHead(answering, status, headers);
  res.end(body);
};

export const sendJson = (answering: Answering, status: number, value: unknown): void =>
  sendBytes(answering, status, Buffer.from(JSON.stringify(value)));

/** The same for an error of the gateway that is in no protocol of `sendError`. */
export const sendOwnError = (
  answering: Answering,
  { status, reason }: Readonly<{ status: number; reason: string }>,
  value: unknown,
): void => {
  noteError(answering.res.req, { code: reason, isOwn: true });
  sendJson(answering, status, value);
};
