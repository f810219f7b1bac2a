import type { ServerResponse } from 'node:http';
import { hasUnreadBody } from '../../infra/web/unread-body.ts';
import { writeAnswerHead } from './answer-head.ts';
import { errorOf as claudeError } from './anthropic/finish-reasons.ts';
import { type Protocol, protocolOf } from './caller-protocol.ts';
import { errorOf as cohereError } from './cohere/finish-reasons.ts';
import { noteError } from './error-note.ts';
import { errorOf as geminiError } from './gemini/finish-reasons.ts';
import { errorOf as ollamaError } from './ollama/finish-reasons.ts';

/** The error of a request that ends without an answer, in OpenAI's shape. */
export type ApiError = Readonly<{
  status: number;
  message: string;
  type: string;
  code: string | number | null;
  param?: string | null;
  retryAfterSeconds?: number;
  /** Where a protocol has another status for it. */
  statuses?: Partial<Record<Protocol, number>>;
  /** Clients are told not to send the call again. */
  isFinal?: boolean;
  /** Google's word for what went wrong (`google.rpc.ErrorInfo`); callers are not shown it. */
  reason?: string;
}>;

export const errorBody = (error: ApiError, requestId: string): string =>
  JSON.stringify({
    error: {
      message: `${error.message} (request id: ${requestId})`,
      type: error.type,
      param: error.param ?? null,
      code: error.code,
    },
  });

type ErrorWriter = (error: ApiError, requestId: string) => object;

const errorWriters: Readonly<Record<Exclude<Protocol, 'openai'>, ErrorWriter>> = {
  claude: claudeError,
  gemini: geminiError,
  cohere: cohereError,
  ollama: ollamaError,
};

/** An error as the caller's protocol writes it. */
export const errorText = (error: ApiError, requestId: string, protocol: Protocol): string => {
  if (protocol === 'openai') return errorBody(error, requestId);
  const signed = { ...error, message: `${error.message} (request id: ${requestId})` };
  return JSON.stringify(errorWriters[protocol](signed, requestId));
};

/** Answers with an error unless the answer has begun; harmless when the client is gone. */
export const sendError = (res: ServerResponse, error: ApiError, requestId: string): void => {
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  noteError(res.req, { code: String(error.code), isOwn: false });
  const protocol = protocolOf(res.req.url ?? '');
  const status = error.statuses?.[protocol] ?? error.status;
  const body = Buffer.from(errorText({ ...error, status }, requestId, protocol));
  const headers = ['Content-Type', 'application/json', 'Content-Length', String(body.length)];
  if (error.retryAfterSeconds !== undefined) {
    headers.push('Retry-After', String(error.retryAfterSeconds));
  }
  // A body that was not read to its end cannot be followed by another request.
  if (hasUnreadBody(res.req)) headers.push('Connection', 'close');
  if (error.isFinal === true) headers.push('x-should-retry', 'false');
  writeAnswerHead({ res, requestId }, status, headers);
  res.end(body);
  if (!res.req.complete) res.req.resume();
};

export const isApiError = (value: unknown): value is ApiError =>
  typeof value === 'object' &&
  value !== null &&
  'message' in value &&
  'code' in value &&
  'status' in value;
