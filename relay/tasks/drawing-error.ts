import type { ServerResponse } from 'node:http';
import { hasUnreadBody } from '../../infra/web/unread-body.ts';
import type { Incoming } from '../admission/admitted.ts';

/** Error of an image task call (infra/reference/tasks.md, section 2.3). */
export type DrawingRefusal = Readonly<{
  refusal: string;
  /**
   * 4: the caller's mistake. 5: the provider could not be called. 30: too many requests at once.
   */
  code: number;
  /** HTTP; 400 when absent. */
  status?: number;
}>;

export const refused = (refusal: string, code = 4): DrawingRefusal => ({ refusal, code });

export const isRefusal = (value: object): value is DrawingRefusal => 'refusal' in value;

export const sendJson = (
  { res, requestId }: Pick<Incoming, 'res' | 'requestId'>,
  status: number,
  value: unknown,
): void => {
  if (res.headersSent || res.destroyed) return;
  const body = Buffer.from(JSON.stringify(value));
  res.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    'X-Request-Id': requestId,
    'X-Oneapi-Request-Id': requestId,
    'Access-Control-Allow-Origin': '*',
    // A body that was not read to its end cannot be followed by another request.
    ...(hasUnreadBody(res.req) ? { Connection: 'close' } : {}),
  });
  res.end(body);
};

const saturated =
  'The group is saturated now, please try again later or upgrade your account to another group';

export const sendRefusal = (
  incoming: Incoming,
  { refusal, code, status }: DrawingRefusal,
): void => {
  const description = code === 30 ? `${refusal} ${saturated}` : refusal;
  sendJson(incoming, status ?? (code === 30 ? 429 : 400), {
    description,
    type: 'upstream_error',
    code,
  });
};

export const sendEmpty = (res: ServerResponse, requestId: string): void => {
  res.writeHead(200, {
    'Content-Length': 0,
    'X-Request-Id': requestId,
    'X-Oneapi-Request-Id': requestId,
  });
  res.end();
};
