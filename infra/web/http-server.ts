import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { acceptUpgrades, isWebSocket, type Upgrade } from './accept-upgrades.ts';
import {
  type ConnectionLimits,
  createConnectionPools,
  type Membership,
} from './connection-pools.ts';
import { lingerOnClose } from './lingering-close.ts';
import { isFramedClearly, toOriginForm } from './request-target.ts';

/** What one client, and all of them, may take of a server before a request is understood. */
export type ServerLimits = ConnectionLimits &
  Readonly<{
    /** From the first byte of a connection or of a request to the end of its head. */
    headersTimeoutMs: number;
    /** Between two pieces of a request body. */
    bodyIdleTimeoutMs: number;
    /** From the first byte of a request to the last one of its body. */
    requestTimeoutMs: number;
  }>;

export type ServerPlan = Readonly<{
  limits: ServerLimits;
  handle: RequestListener;
  /** Websockets; those that it leaves are refused. Absent: there are none. */
  upgrade?: Upgrade;
}>;

type Exchange = Readonly<{ req: IncomingMessage; res: ServerResponse }>;

/** The state of an open connection. */
type Connection = {
  readonly membership: Membership;
  /** The newest request that a handler got; null before the first one. */
  response: ServerResponse | null;
  /** Requests that arrived before the previous one was answered. */
  readonly waiting: Exchange[];
  /** The last answer is out: what arrives now is read and dropped. */
  isLeaving: boolean;
  /** A timeout has passed in which the client read nothing of its answer. */
  isStalled: boolean;
  /** It was upgraded to websocket. */
  isUpgraded: boolean;
};

const checkEveryMs = 2_000;
/** Longer than the pools of usual reverse proxies keep their connections. */
const keepAliveTimeoutMs = 75_000;
/** A client that takes nothing of its answer for so long, after a first timeout, has gone. */
const stallTimeoutMs = 300_000;
const maxWaiting = 32;

const requestTimedOut = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';

/** `node:http` takes the socket from a response when all of it is out. */
const isBusy = ({ response }: Connection): boolean => response !== null && response.socket !== null;

/** The timer of a connection ran out: nothing was read or written meanwhile. */
const timedOut = (socket: Socket, connection: Connection): void => {
  const { response } = connection;
  if (response === null || !isBusy(connection)) socket.destroy();
  else if (!response.req.complete) {
    if (!response.headersSent) socket.write(requestTimedOut);
    socket.destroy();
  } else if (socket.writableLength > 0) {
    if (connection.isStalled) socket.destroy();
    connection.isStalled = true;
    socket.setTimeout(stallTimeoutMs);
  }
};

/** False: the connection is over, and the request is not answered. */
const begin = (connection: Connection, { req, res }: Exchange): boolean => {
  if (connection.isLeaving || req.socket.destroyed) return false;
  if (connection.response === null) connection.membership.used();
  connection.response = res;
  connection.isStalled = false;
  return true;
};

/** Answers the next request that waits, when the answer before it is out. */
const follow = (connection: Connection, handle: RequestListener): void => {
  const next = connection.waiting.shift();
  if (next === undefined || !begin(connection, next)) return;
  if (connection.waiting.length > 0) next.res.once('close', () => follow(connection, handle));
  answer(handle, next);
};

/**
 * One request of a connection is answered after the other. `node:http` would pass all of them on at
 * once, and never report to those that wait for their turn that the connection has gone.
 */
const inTurn = (connection: Connection, exchange: Exchange, handle: RequestListener): void => {
  const { waiting, response } = connection;
  if (!isBusy(connection) && waiting.length === 0) {
    if (begin(connection, exchange)) answer(handle, exchange);
    return;
  }
  waiting.push(exchange);
  if (waiting.length === 1) response?.once('close', () => follow(connection, handle));
  if (waiting.length > maxWaiting) exchange.req.socket.destroy();
};

/** What cannot be understood in one way only, or is no path, is answered here. */
const answer = (handle: RequestListener, { req, res }: Exchange): void => {
  if (!isFramedClearly(req, res)) return;
  if (req.url?.startsWith('/') === true || toOriginForm(req, res)) handle(req, res);
};

/**
 * The only constructor of a listening HTTP server, with every limit that applies before a handler.
 * Answers to uploads that are still under way arrive: see `lingerOnClose`.
 */
export const createHttpServer = ({ limits, handle, upgrade }: ServerPlan): Server => {
  const connections = new WeakMap<Socket, Connection>();
  const server = createServer({
    headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(checkEveryMs, limits.headersTimeoutMs),
    shouldUpgradeCallback: isWebSocket,
  });
  server.timeout = limits.bodyIdleTimeoutMs;
  const pools = createConnectionPools(limits, (socket) => {
    const connection = connections.get(socket);
    return connection !== undefined && !connection.isUpgraded && !isBusy(connection);
  });

  server.on('connection', (socket: Socket) => {
    const membership = pools.admit(socket);
    if (membership === null) {
      socket.destroy();
      return;
    }
    const connection: Connection = {
      membership,
      response: null,
      waiting: [],
      isLeaving: false,
      isStalled: false,
      isUpgraded: false,
    };
    connections.set(socket, connection);
    lingerOnClose(socket, () => {
      connection.isLeaving = true;
      return connection.response?.req ?? null;
    });
  });
  server.on('timeout', (socket: Socket) => {
    const connection = connections.get(socket);
    if (connection === undefined) socket.destroy();
    else timedOut(socket, connection);
  });
  server.on('request', (req, res) => {
    const connection = connections.get(req.socket);
    if (connection !== undefined) inTurn(connection, { req, res }, handle);
  });
  acceptUpgrades(server, (req, socket, head) => {
    const connection = connections.get(req.socket);
    if (connection === undefined || isBusy(connection)) {
      // The answer to the previous request would be in the middle of the new protocol.
      socket.destroy();
      return true;
    }
    connection.isUpgraded = upgrade?.(req, socket, head) ?? false;
    if (connection.isUpgraded) connection.membership.used();
    return connection.isUpgraded;
  });
  return server;
};
