import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Returns true when it has taken the connection, or has answered. */
export type Upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/**
 * An offer of another protocol is ignored and the request served as it is (RFC 9110, section 7.8):
 * several HTTP clients offer HTTP/2 with every first request.
 */
export const isWebSocket = ({ headers }: IncomingMessage): boolean =>
  /(^|,)\s*websocket\s*(\/|,|$)/i.test(headers.upgrade ?? '');

/** A client of websockets takes an ordinary answer of 200 for a fault of the server. */
const refuse = ({ method, url }: IncomingMessage, socket: Duplex): void => {
  const path = (url ?? '').split('?', 1)[0]?.slice(0, 256);
  const message = `There is no websocket at this path (${method} ${path})`;
  const error = { message, type: 'invalid_request_error', param: null, code: '' };
  const body = JSON.stringify({ error });
  const head = [
    'HTTP/1.1 404 Not Found',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.on('error', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
};

/** Websockets of a server whose `shouldUpgradeCallback` is `isWebSocket`. */
export const acceptUpgrades = (server: Server, upgrade: Upgrade): void => {
  server.on('upgrade', (req, socket, head) => {
    if (!upgrade(req, socket, head)) refuse(req, socket);
  });
};
