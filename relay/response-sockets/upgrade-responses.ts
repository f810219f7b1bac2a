import { type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { RequestId } from '../../domain/shared/ids.ts';
import type { SessionTrace } from '../../infra/ports/tracing.ts';
import { arrive } from '../admission/arrive.ts';
import { arrivedCall } from '../admission/arrived-call.ts';
import { countRefusal } from '../admission/count-refusal.ts';
import { type AdmissionProgress, noProgress } from '../admission/refusal-counter.ts';
import { internalError } from '../delivery/failures.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { type ApiError, isApiError, sendError } from '../protocol/api-error.ts';
import { relayError } from '../protocol/relay-errors.ts';
import { maxFrameBytes } from '../upstream/socket.ts';
import { ResponseSession, type Serve } from './response-session.ts';

export type ResponseUpgrades = Readonly<{
  /** Handles the upgrade when it is for responses; returns whether it is. */
  upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** Connections end as soon as they have no response in progress. */
  leave: () => void;
  /** Connections end now. */
  close: () => void;
}>;

/** A request to open a connection, before its caller is identified. */
type UpgradeRequest = Readonly<{
  req: IncomingMessage;
  res: ServerResponse;
  socket: Socket;
  head: Buffer;
  requestId: RequestId;
  trace: SessionTrace | null;
  progress: AdmissionProgress;
}>;

/** Keys of callers that cannot set headers are among the names of protocols. */
const isName = (protocol: string): boolean => !protocol.startsWith('openai-');

/** Connections of the Responses API: the caller is identified before the upgrade is answered. */
export const createResponseUpgrades = (
  core: RelayCore,
  { serve, isOpen }: Readonly<{ serve: Serve; isOpen: () => boolean }>,
): ResponseUpgrades => {
  const sessions = new Set<ResponseSession>();
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: Math.max(maxFrameBytes, core.settings.maxBodyBytes),
    handleProtocols: (offered) => [...offered].find(isName) ?? false,
  });

  const refuse = (request: UpgradeRequest, error: ApiError): void => {
    const { res, socket, requestId, trace } = request;
    res.shouldKeepAlive = false;
    res.once('finish', () => socket.end());
    core.meters.ended(error.status);
    trace?.ended(error.status);
    sendError(res, error, requestId);
    countRefusal(core, request);
  };

  const problemOf = async ({ req, res, progress }: UpgradeRequest): Promise<ApiError | null> => {
    if (!isOpen()) {
      const closing = relayError('relay_not_ready');
      return { ...closing, retryAfterSeconds: 1 };
    }
    const arrivedAtMs = core.clock().getTime();
    const caller = await arrive(core, { req, res, arrivedAtMs, progress }, 'response-socket');
    return isApiError(caller) ? caller : null;
  };

  const join = ({ req, socket, head, trace }: UpgradeRequest): void => {
    core.meters.ended(101);
    server.handleUpgrade(req, socket, head, (client: WebSocket) => {
      const session = new ResponseSession(core, {
        opened: req,
        trace,
        client,
        serve,
        onOver: () => sessions.delete(session),
      });
      sessions.add(session);
    });
  };

  const open = async (request: UpgradeRequest): Promise<void> => {
    const problem = await problemOf(request);
    if (problem !== null) return refuse(request, problem);
    request.res.detachSocket(request.socket);
    join(request);
  };

  return {
    upgrade: (req, socket, head) => {
      if ((req.url ?? '').split('?', 1)[0] !== '/v1/responses') return false;
      if (req.headers.upgrade?.toLowerCase() !== 'websocket' || !(socket instanceof Socket)) {
        return false;
      }
      const ownId = core.nextRequestId(core.clock().getTime());
      const trace = core.tracing?.beginSession(arrivedCall(req, ownId)) ?? null;
      trace?.routed('/v1/responses');
      const requestId = trace?.requestId ?? ownId;
      const res = new ServerResponse(req);
      res.assignSocket(socket);
      core.meters.began();
      socket.on('error', () => socket.destroy());
      const request = { req, res, socket, head, requestId, trace, progress: noProgress() };
      open(request).catch((error: unknown) => {
        core.logger.error({ requestId, err: error }, 'a connection failed at the upgrade');
        refuse(request, internalError);
      });
      return true;
    },
    leave: () => {
      for (const session of [...sessions]) session.leave();
    },
    close: () => {
      for (const session of [...sessions]) session.kill();
    },
  };
};
