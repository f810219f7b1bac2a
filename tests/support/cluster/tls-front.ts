import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  type AddressInfo,
  connect,
  createServer,
  type NetConnectOpts,
  type Socket,
} from 'node:net';
import { join } from 'node:path';
import { createSecureContext, createServer as createTlsServer, TLSSocket } from 'node:tls';
import type { ClusterSecrets } from './secrets.ts';

export type TlsFront = Readonly<{ port: number; close: () => Promise<void> }>;

const keysOf = ({ folder }: ClusterSecrets, name: string) => ({
  cert: readFileSync(join(folder, `${name}.crt`)),
  key: readFileSync(join(folder, `${name}.key`)),
});

const splice = (client: Socket, target: NetConnectOpts): void => {
  const server = connect(target);
  client.pipe(server).pipe(client);
  client.on('error', () => server.destroy());
  server.on('error', () => client.destroy());
};

const opened = async (
  server: ReturnType<typeof createServer>,
  sockets: Set<Socket>,
): Promise<TlsFront> => {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};

/** TLS in front of an event store with plain HTTP/2. */
export const eventStoreOverTls = (secrets: ClusterSecrets, port: number): Promise<TlsFront> => {
  const options = { ...keysOf(secrets, 'eventstore/node'), ALPNProtocols: ['h2'] };
  const server = createTlsServer(options, (socket) => splice(socket, { port, host: '127.0.0.1' }));
  server.on('tlsClientError', () => undefined);
  return opened(server, new Set());
};

/** A client requests TLS by these 8 bytes, and the server confirms by one. */
const sslRequest = 80_877_103;

/** TLS in front of PostgreSQL on a unix socket, for clients that request it; others are refused. */
export const databaseOverTls = (secrets: ClusterSecrets, path: string): Promise<TlsFront> => {
  const secureContext = createSecureContext(keysOf(secrets, 'postgres/server'));
  const server = createServer((socket) => {
    socket.once('data', (first: Buffer) => {
      if (first.length !== 8 || first.readInt32BE(4) !== sslRequest) {
        socket.destroy();
        return;
      }
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, secureContext });
      secure.on('error', () => socket.destroy());
      splice(secure, { path });
    });
  });
  return opened(server, new Set());
};
