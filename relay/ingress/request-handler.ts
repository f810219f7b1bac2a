import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Incoming } from '../admission/admitted.ts';
import { arrivedCall } from '../admission/arrived-call.ts';
import { type Caller, identify } from '../admission/caller.ts';
import { usageNotRecordable } from '../admission/refusals.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { RateLimits } from '../feeds/rate-limits.ts';
import { writeAnswerHead } from '../protocol/answer-head.ts';
import { type ApiError, gatewayError, isApiError, sendError } from '../protocol/api-error.ts';
import { serveTask } from '../tasks/serve-tasks.ts';
import { noteRoute } from './call-trace.ts';
import { serveCount } from './count-tokens.ts';
import { serveModel, serveModels } from './models.ts';
import { servePlayground } from './playground.ts';
import { isRelayPath, type RelayRoute, routeOf } from './routes.ts';
import { serveConversation } from './serve-conversation.ts';
import { serveResponse } from './serve-response.ts';
import { serveText } from './serve-text.ts';

type TokenRoute = Exclude<RelayRoute, { kind: 'playground' | 'task' | 'unknown' }>;

const notImplemented: ApiError = gatewayError(
  501,
  'api_not_implemented',
  'This API is not implemented',
);

const needsWebSocket: ApiError = gatewayError(
  426,
  'upgrade_required',
  'This endpoint requires a WebSocket upgrade',
);

const serveCaller = (
  core: RelayCore,
  incoming: Incoming,
  { route, caller }: Readonly<{ route: TokenRoute; caller: Caller }>,
): void => {
  switch (route.kind) {
    case 'text':
      serveText(core, incoming, { route, caller });
      break;
    case 'count-tokens':
      serveCount(core, incoming, { ...route, caller });
      break;
    case 'models':
      serveModels(core, incoming, { caller, protocol: route.protocol });
      break;
    case 'model':
      serveModel(core, incoming, { ...route, caller });
      break;
    case 'response':
      serveResponse(core, incoming, { route, caller });
      break;
    case 'conversation':
      serveConversation(core, incoming, { route, caller });
      break;
    case 'needs-websocket':
      sendError(incoming.res, needsWebSocket, incoming.requestId);
      break;
    case 'not-implemented':
      sendError(incoming.res, notImplemented, incoming.requestId);
      break;
  }
};

const fault = (core: RelayCore, { res, requestId }: Incoming, error: unknown): void => {
  core.logger.error({ requestId, err: error }, 'request failed in its handler');
  sendError(
    res,
    gatewayError(500, 'internal_error', 'The gateway failed on this request'),
    requestId,
  );
};

/** Lists of models take next to no work; a count takes as much as the prompt is long. */
const unlimited: ReadonlySet<TokenRoute['kind']> = new Set(['models', 'model']);

const withinLimits = async (
  core: RelayCore,
  { res, requestId }: Incoming,
  { caller, limits }: Readonly<{ caller: Caller; limits: RateLimits }>,
): Promise<boolean> => {
  const counted = await core.rateLimiter.count(caller, limits);
  if (isApiError(counted)) {
    sendError(res, counted, requestId);
    return false;
  }
  res.on('close', () => {
    if (!res.headersSent || res.statusCode >= 400) counted.failed();
  });
  return true;
};

const serveIdentified = (
  core: RelayCore,
  incoming: Incoming,
  { route, caller }: Readonly<{ route: TokenRoute; caller: Caller | ApiError }>,
): void => {
  if (isApiError(caller)) {
    sendError(incoming.res, caller, incoming.requestId);
    return;
  }
  const limits = core.options.current().rateLimits;
  if (limits === null || unlimited.has(route.kind)) {
    serveCaller(core, incoming, { route, caller });
    return;
  }
  withinLimits(core, incoming, { caller, limits })
    .then((isWithin) => {
      if (isWithin) serveCaller(core, incoming, { route, caller });
    })
    .catch((error: unknown) => fault(core, incoming, error));
};

const serveToken = (core: RelayCore, incoming: Incoming, route: TokenRoute): void => {
  const asked = identify(core, incoming.req, incoming.arrivedAtMs);
  if (asked instanceof Promise) {
    asked
      .then((caller) => serveIdentified(core, incoming, { route, caller }))
      .catch((error: unknown) => fault(core, incoming, error));
  } else serveIdentified(core, incoming, { route, caller: asked });
};

const preflight = (incoming: Incoming): void => {
  writeAnswerHead(incoming, 204, [
    ...['Access-Control-Allow-Methods', 'GET, POST, PATCH, DELETE, OPTIONS'],
    ...['Access-Control-Allow-Headers', '*, Authorization'],
    ...['Access-Control-Max-Age', '86400'],
  ]);
  incoming.res.end();
};

const unknownPath = (method: string, path: string): ApiError => ({
  status: 404,
  message: `Unknown path (${method} ${path})`,
  type: 'invalid_request_error',
  param: null,
  code: '',
});

const chargedTasks: ReadonlySet<string> = new Set([
  'image-task',
  'music-task',
  'video-order',
  'file-upload',
  'batch-order',
  'cache-order',
]);

/** What such a request uses is charged. */
const isCharged = (route: RelayRoute): boolean => {
  if (route.kind !== 'task') return route.kind === 'text' || route.kind === 'playground';
  return chargedTasks.has(route.task.kind);
};

const serve = (core: RelayCore, incoming: Incoming): void => {
  const { req, res, requestId } = incoming;
  const method = req.method ?? 'GET';
  const url = req.url ?? '/';
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  const route = routeOf(method, path);
  if (incoming.trace !== null) noteRoute(incoming.trace, route, path);
  if (isCharged(route) && !core.journal.accepting()) {
    sendError(res, usageNotRecordable, requestId);
  } else if (route.kind === 'playground') {
    servePlayground(core, incoming).catch((error: unknown) => fault(core, incoming, error));
  } else if (route.kind === 'task') void serveTask(core, incoming, route.task);
  else if (route.kind !== 'unknown') serveToken(core, incoming, route);
  else if (method === 'OPTIONS' && !path.startsWith('/pg/')) preflight(incoming);
  else sendError(res, unknownPath(method, path.slice(0, 256)), requestId);
};

export type RequestHandler = (req: IncomingMessage, res: ServerResponse) => boolean;

/**
 * Runs before any router: true when the path is the relay's. A router and its hooks would cost half
 * of what a whole relayed request may.
 */
export const createRequestHandler =
  (core: RelayCore, isOpen: () => boolean): RequestHandler =>
  (req, res) => {
    if (!isRelayPath(req.url ?? '/')) return false;
    const arrivedAtMs = core.clock().getTime();
    const ownId = core.nextRequestId(arrivedAtMs);
    const trace = core.tracing?.begin(arrivedCall(req, ownId)) ?? null;
    const requestId = trace?.requestId ?? ownId;
    if (!isOpen()) {
      const closing = gatewayError(503, 'relay_not_ready', 'The relay takes no requests now');
      sendError(res, { ...closing, retryAfterSeconds: 1 }, requestId);
      return true;
    }
    core.meters.began();
    const arrivedTick = performance.now();
    // One literal: a spread here takes as long as the whole of a body's scan.
    const incoming: Incoming = {
      req,
      res,
      requestId,
      arrivedAtMs,
      arrivedTick,
      trace,
      heldBytes: 0,
    };
    res.on('close', () => {
      core.bodies.give(incoming.heldBytes);
      incoming.heldBytes = 0;
      const status = res.headersSent ? res.statusCode : 499;
      core.meters.ended(status);
      trace?.ended(status);
    });
    try {
      serve(core, incoming);
    } catch (error) {
      fault(core, incoming, error);
    }
    return true;
  };
