import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { type Dispatcher, errors, Pool } from 'undici';
import type { BodyShares } from '../web/body-shares.ts';
import type { ClientAddress, ForwardedProtocol } from '../web/client-address.ts';
import { endToEndHeaders } from '../web/hop-headers.ts';
import { callerOf } from '../web/network.ts';
import { hasUnreadBody } from '../web/unread-body.ts';
import { refuseEarly } from './early-refusals.ts';
import { readStart } from './read-start.ts';

export type ProxyPlan = Readonly<{
  /** The unix socket of the control process; null while there is none. */
  socketPath: () => string | null;
  clientAddress: ClientAddress;
  forwardedProtocol: ForwardedProtocol;
  bodies: BodyShares;
  /** For the whole body of a request. */
  bodyTimeoutMs: number;
}>;

/** Set by the edge itself, or framed again by the client that it calls with. */
const neverHandedOn: readonly string[] = [
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-real-ip',
  'forwarded',
  'content-length',
  'expect',
];

/** Longer than any call of the console takes to answer. */
const headersTimeoutMs = 600_000;

const headersFor = (req: IncomingMessage, plan: ProxyPlan): Record<string, string | string[]> => {
  const headers = endToEndHeaders(req.headers);
  for (const name of neverHandedOn) delete headers[name];
  headers['x-forwarded-for'] = plan.clientAddress(req);
  headers['x-forwarded-proto'] = plan.forwardedProtocol(req);
  return headers;
};

/**
 * The rest of a body after what was read of it. Not the request itself: the caller of the control
 * process destroys what it was given when the answer is early.
 */
const streamOf = (req: IncomingMessage, pieces: readonly Buffer[]): Readable => {
  const stream = new PassThrough();
  for (const piece of pieces) stream.write(piece);
  stream.on('error', () => undefined);
  req.pipe(stream);
  return stream;
};

type Sent = Readonly<{ req: IncomingMessage; res: ServerResponse; gone: AbortSignal }>;

const handBack = ({ req, res }: Sent, answer: Dispatcher.ResponseData): void => {
  const headers = endToEndHeaders(answer.headers);
  // A body that was not read to its end cannot be followed by another request.
  if (hasUnreadBody(req)) headers.connection = 'close';
  res.writeHead(answer.statusCode, headers);
  pipeline(answer.body, res, () => undefined);
};

const send = async (
  pool: Pool,
  sent: Sent,
  call: Readonly<{
    headers: Record<string, string | string[]>;
    body: Buffer | Readable | null;
    isWhole: boolean;
  }>,
): Promise<void> => {
  const { req, res, gone } = sent;
  try {
    const answer = await pool.request({
      method: (req.method ?? 'GET') as Dispatcher.HttpMethod,
      path: req.url ?? '/',
      headers: call.headers,
      body: call.body,
      signal: gone,
      // A connection that carried more than a small body is not used again.
      reset: !call.isWhole,
    });
    handBack(sent, answer);
  } catch (error) {
    if (gone.aborted) return;
    const isInvalid = error instanceof errors.InvalidArgumentError;
    refuseEarly(res, isInvalid ? 'request.malformed' : 'control.unavailable');
  }
};

/** One pool for each instance of the control process. */
const createPools = () => {
  let current: Readonly<{ path: string; pool: Pool }> | null = null;
  return (path: string): Pool => {
    if (current?.path === path) return current.pool;
    current?.pool.destroy().catch(() => undefined);
    const options = { socketPath: path, pipelining: 1, headersTimeout: headersTimeoutMs };
    // Downloads and server-sent events take as long as they take.
    current = { path, pool: new Pool('http://control', { ...options, bodyTimeout: 0 }) };
    return current.pool;
  };
};

/**
 * Hands a request to the control process and its answer back. Small bodies are read to their end
 * first, so that a slow client holds nothing but its own connection.
 */
export const createProxy = (plan: ProxyPlan) => {
  const poolAt = createPools();

  const forward = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const path = plan.socketPath();
    if (path === null) {
      refuseEarly(res, 'control.unavailable');
      return;
    }
    const gone = new AbortController();
    const held = { bytes: 0 };
    const bodies = plan.bodies.of(callerOf(plan.clientAddress(req)));
    const late = setTimeout(() => {
      if (!res.headersSent) refuseEarly(res, 'request.too-slow');
      gone.abort();
    }, plan.bodyTimeoutMs);
    req.once('end', () => clearTimeout(late));
    res.once('close', () => {
      clearTimeout(late);
      bodies.give(held.bytes);
      gone.abort();
    });
    const start = await readStart(req, bodies, held);
    if (start.kind === 'gone' || gone.signal.aborted) return;
    if (start.kind === 'no-room') {
      refuseEarly(res, 'request.no-memory');
      return;
    }
    const headers = headersFor(req, plan);
    const sent = { req, res, gone: gone.signal };
    if (start.kind === 'whole') {
      clearTimeout(late);
      await send(poolAt(path), sent, { headers, body: start.body, isWhole: true });
      return;
    }
    const declared = req.headers['content-length'];
    if (declared !== undefined) headers['content-length'] = declared;
    const body = streamOf(req, start.pieces);
    await send(poolAt(path), sent, { headers, body, isWhole: false });
  };

  return (req: IncomingMessage, res: ServerResponse): void => {
    forward(req, res).catch(() => refuseEarly(res, 'control.unavailable'));
  };
};
