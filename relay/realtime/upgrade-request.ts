import { type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { arrivedCall } from '../admission/arrived-call.ts';
import { countRefusal } from '../admission/count-refusal.ts';
import { noProgress } from '../admission/refusal-counter.ts';
import { internalError } from '../delivery/failures.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { type ApiError, sendError } from '../protocol/api-error.ts';
import { relayError } from '../protocol/relay-errors.ts';
import { maxFrameBytes } from '../upstream/socket.ts';
import type { Session } from './session.ts';
import type { SessionIncoming } from './session-plan.ts';

/** A request to open a session, before admission. */
export type UpgradeRequest = Readonly<{ incoming: SessionIncoming; socket: Socket; head: Buffer }>;

export type SessionUpgrades = Readonly<{
  /** Handles the upgrade when it is the relay's; returns whether it is. */
  upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** Sessions end as soon as they have no response in progress. */
  leave: () => void;
  /** Sessions end now. */
  close: () => void;
}>;

type Upgrade = Readonly<{
  socket: Duplex;
  head: Buffer;
  /** Of the span, without ids. */
  path: string;
}>;

/** null: it requests no websocket. */
const arrivedUpgrade = (
  core: RelayCore,
  req: IncomingMessage,
  { socket, head, path }: Upgrade,
): UpgradeRequest | null => {
  if (req.headers.upgrade?.toLowerCase() !== 'websocket' || !(socket instanceof Socket)) {
    return null;
  }
  const arrivedAtMs = core.clock().getTime();
  const ownId = core.nextRequestId(arrivedAtMs);
  const trace = core.tracing?.beginSession(arrivedCall(req, ownId)) ?? null;
  trace?.routed(path);
  const requestId = trace?.requestId ?? ownId;
  const res = new ServerResponse(req);
  res.assignSocket(socket);
  const arrived = { req, res, requestId, arrivedAtMs, arrivedTick: performance.now() };
  core.meters.began();
  socket.on('error', () => socket.destroy());
  return { incoming: { ...arrived, trace, heldBytes: 0, progress: noProgress() }, socket, head };
};

/** Refuses an upgrade by an answer of HTTP. */
export const refuseUpgrade = (
  core: RelayCore,
  { incoming, socket }: UpgradeRequest,
  error: ApiError,
): void => {
  const { res, requestId, trace } = incoming;
  res.shouldKeepAlive = false;
  res.once('finish', () => socket.end());
  core.meters.ended(error.status);
  trace?.ended(error.status);
  sendError(res, error, requestId);
  countRefusal(core, incoming);
};

const notReady: ApiError = relayError('relay_not_ready');

type Protocol = Readonly<{
  /** As records have it, without ids and query; "" where an address is of another protocol. */
  pathOf: (url: string) => string;
  open: (request: UpgradeRequest) => Promise<void>;
  sessions: OpenSessions;
}>;

/** Takes the upgrades of one protocol. */
export const takeUpgrades = (
  core: RelayCore,
  isOpen: () => boolean,
  { pathOf, open, sessions }: Protocol,
): SessionUpgrades => ({
  upgrade: (req, socket, head) => {
    const path = pathOf(req.url ?? '');
    const request = path === '' ? null : arrivedUpgrade(core, req, { socket, head, path });
    if (request === null) return false;
    if (!isOpen()) {
      refuseUpgrade(core, request, notReady);
      return true;
    }
    open(request).catch((error: unknown) => {
      const { requestId } = request.incoming;
      core.logger.error({ requestId, err: error }, 'a session failed at the upgrade');
      refuseUpgrade(core, request, internalError);
    });
    return true;
  },
  leave: () => sessions.leave(),
  close: () => sessions.close(),
});

/** Answers upgrades, with the id of the request in a header. */
export class UpgradeServer {
  private readonly ids = new WeakMap<IncomingMessage, string>();
  private readonly server: WebSocketServer;

  /** `protocol`: the subprotocol that is taken where it is offered; "" takes none. */
  constructor(protocol: string) {
    this.server = new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      maxPayload: maxFrameBytes,
      handleProtocols: (offered) => (offered.has(protocol) ? protocol : false),
    });
    this.server.on('headers', (headers, req) => {
      const id = this.ids.get(req) ?? '';
      headers.push(`X-Request-Id: ${id}`, `X-Oneapi-Request-Id: ${id}`);
    });
  }

  accept({ incoming, socket, head }: UpgradeRequest, onOpen: (client: WebSocket) => void): void {
    const { req, res, requestId } = incoming;
    res.removeAllListeners('close');
    res.detachSocket(socket);
    this.ids.set(req, requestId);
    this.server.handleUpgrade(req, socket, head, onOpen);
  }
}

/** The sessions of a relay, for its stop. */
export class OpenSessions {
  private readonly sessions = new Set<Session>();

  add(session: Session): void {
    this.sessions.add(session);
  }

  remove(session: Session): void {
    this.sessions.delete(session);
  }

  leave(): void {
    for (const session of [...this.sessions]) session.leave();
  }

  close(): void {
    for (const session of [...this.sessions]) session.kill();
  }
}
