import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Incoming } from '../admission/admitted.ts';
import { arrive } from '../admission/arrive.ts';
import { arrivedCall } from '../admission/arrived-call.ts';
import type { Caller } from '../admission/caller.ts';
import { countRefusal } from '../admission/count-refusal.ts';
import { noProgress } from '../admission/refusal-counter.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { writeAnswerHead } from '../protocol/answer-head.ts';
import { type ApiError, isApiError, sendError } from '../protocol/api-error.ts';
import { callError, relayError } from '../protocol/relay-errors.ts';
import { serveOpenTask, serveTask } from '../tasks/serve-tasks.ts';
import { noteRoute } from './call-trace.ts';
import { serveCount } from './count-tokens.ts';
import { serveModel, serveModels } from './models.ts';
import { servePlayground } from './playground.ts';
import { isRelayPath, type RelayRoute, routeOf } from './routes.ts';
import { serveConversation } from './serve-conversation.ts';
import { serveResponse } from './serve-response.ts';
import { serveText } from './serve-text.ts';

type KeyRoute = Exclude<RelayRoute, { kind: 'playground' | 'open-task' | 'unknown' }>;

const notImplemented: ApiError = relayError('api_not_implemented');

const needsWebSocket: ApiError = relayError('upgrade_required');

const serveCaller = (
  core: RelayCore,
  incoming: Incoming,
  { route, caller }: Readonly<{ route: KeyRoute; caller: Caller }>,
): void => {
  switch (route.kind) {
    case 'text':
      serveText(core, incoming, { entry: 'text', route, caller });
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
    case 'task':
      void serveTask(core, incoming, { route: route.task, caller });
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
  sendError(res, relayError('internal_error'), requestId);
};

const serveArrived = (
  core: RelayCore,
  incoming: Incoming,
  { route, caller }: Readonly<{ route: KeyRoute; caller: Caller | ApiError }>,
): void => {
  if (isApiError(caller)) sendError(incoming.res, caller, incoming.requestId);
  else serveCaller(core, incoming, { route, caller });
};

const serveKey = (core: RelayCore, incoming: Incoming, route: KeyRoute): void => {
  const arrived = arrive(core, incoming, route.kind === 'task' ? route.task.kind : route.kind);
  if (arrived instanceof Promise) {
    arrived
      .then((caller) => serveArrived(core, incoming, { route, caller }))
      .catch((error: unknown) => fault(core, incoming, error));
  } else serveArrived(core, incoming, { route, caller: arrived });
};

const preflight = (incoming: Incoming): void => {
  writeAnswerHead(incoming, 204, [
    ...['Access-Control-Allow-Methods', 'GET, POST, PATCH, DELETE, OPTIONS'],
    ...['Access-Control-Allow-Headers', '*, Authorization'],
    ...['Access-Control-Max-Age', '86400'],
  ]);
  incoming.res.end();
};

const unknownPath = (method: string, path: string): ApiError =>
  callError('unknown_path', `Unknown path (${method} ${path})`);

const serve = (core: RelayCore, incoming: Incoming): void => {
  const { req, res, requestId } = incoming;
  const method = req.method ?? 'GET';
  const url = req.url ?? '/';
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  const route = routeOf(method, path);
  if (incoming.trace !== null) noteRoute(incoming.trace, route, path);
  if (route.kind === 'playground') {
    servePlayground(core, incoming).catch((error: unknown) => fault(core, incoming, error));
  } else if (route.kind === 'open-task') void serveOpenTask(core, incoming, route.task);
  else if (route.kind !== 'unknown') serveKey(core, incoming, route);
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
      const closing = relayError('relay_not_ready');
      sendError(res, { ...closing, retryAfterSeconds: 1 }, requestId);
      countRefusal(core, { req, requestId, progress: noProgress() });
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
      progress: noProgress(),
    };
    res.on('close', () => {
      core.bodies.give(incoming.heldBytes);
      incoming.heldBytes = 0;
      const status = res.headersSent ? res.statusCode : 499;
      core.meters.ended(status);
      if (status >= 400) countRefusal(core, incoming);
      trace?.ended(status);
    });
    try {
      serve(core, incoming);
    } catch (error) {
      fault(core, incoming, error);
    }
    return true;
  };
