import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { isAsserted } from '../../support/stub-provider/google-account.ts';
import { googleToken } from './cached-contents.ts';
import { googleCertificate, googleKey } from './google-certificate.ts';
import { sendJson } from './wire.ts';

const hosts = ['oauth2.googleapis.com:443', 'us-central1-aiplatform.googleapis.com:443'];

const bodyOf = async (req: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
};

export type GoogleHosts = Readonly<{ proxyUrl: string; close: () => Promise<void> }>;

const listening = async (server: ReturnType<typeof createServer>): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

/**
 * A proxy behind which the names of Google's hosts are this process: the token endpoint is no
 * setting of a channel.
 */
export const startGoogleHosts = async (serve: RequestListener): Promise<GoogleHosts> => {
  const secure = createSecureServer({ cert: googleCertificate, key: googleKey }, (req, res) => {
    if (req.url !== '/token') return serve(req, res);
    void bodyOf(req).then((text) => {
      const isOwn = isAsserted(new URLSearchParams(text));
      const granted = { access_token: googleToken, expires_in: 3_599 };
      sendJson(res, isOwn ? 200 : 400, isOwn ? granted : { error: 'invalid_grant' });
    });
  });
  const open = new Set<Socket>();
  const proxy = createServer((_req, res) => res.writeHead(405).end());
  proxy.on('connect', (req, socket: Socket, head: Buffer) => {
    if (!hosts.includes(req.url ?? '')) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy());
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) socket.unshift(head);
    secure.emit('connection', socket);
  });
  const port = await listening(proxy);
  return {
    proxyUrl: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        for (const socket of open) socket.destroy();
        proxy.closeAllConnections();
      }),
  };
};
