import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

type Upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

const isOfUpgrade = (name: string): boolean =>
  ['upgrade', 'connection', 'http2-settings'].includes(name.toLowerCase());

/** The request as it came, but for the wish to speak something else. */
const plainHead = ({ method, url, rawHeaders }: IncomingMessage): Buffer => {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!isOfUpgrade(name)) lines.push(`${name}: ${rawHeaders[index + 1] ?? ''}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
};

/**
 * Websockets of a server. A wish for anything else is passed over and the request served as it is
 * (RFC 9110, section 7.8): several HTTP clients ask for HTTP/2 with every first request.
 */
export const acceptUpgrades = (server: Server, upgrade: Upgrade): void => {
  server.on('upgrade', (req, socket, head) => {
    if (upgrade(req, socket, head)) return;
    socket.unshift(Buffer.concat([plainHead(req), head]));
    server.emit('connection', socket);
  });
};
