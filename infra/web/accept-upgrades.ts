import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Answers when the upgrade is its own, and says whether it is. */
export type Upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

const isOfUpgrade = (name: string): boolean =>
  ['upgrade', 'connection', 'http2-settings'].includes(name.toLowerCase());

/** The request as it came, without its offer to upgrade. */
const plainHead = ({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer => {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!isOfUpgrade(name)) lines.push(`${name}: ${rawHeaders[index + 1] ?? ''}`);
  }
  if (/\bclose\b/i.test(rawHeadersNamed(rawHeaders, 'connection'))) lines.push('Connection: close');
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
};

const rawHeadersNamed = (rawHeaders: readonly string[], wanted: string): string =>
  rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === wanted).join();

const isWebSocket = ({ headers }: IncomingMessage): boolean =>
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

/**
 * Websockets of a server. An offer of another protocol is ignored and the request served as it is
 * (RFC 9110, section 7.8): several HTTP clients ask for HTTP/2 with every first request.
 */
export const acceptUpgrades = (server: Server, upgrade: Upgrade): void => {
  server.on('upgrade', (req, socket, head) => {
    if (upgrade(req, socket, head)) return;
    if (isWebSocket(req)) {
      refuse(req, socket);
      return;
    }
    socket.unshift(Buffer.concat([plainHead(req), head]));
    server.emit('connection', socket);
  });
};
