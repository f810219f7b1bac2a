import { chmod, rm } from 'node:fs/promises';
import { type Server, ServerCredentials } from '@grpc/grpc-js';
import { createGrpcServer } from './grpc-server.ts';
import { type LogOptions, openEmbeddedLog } from './open-log.ts';

export type EventStoreNode = Readonly<{
  /** null on a unix socket. */
  port: number | null;
  close: () => Promise<void>;
}>;

/** A unix socket: access to its directory grants every right. */
type SocketEndpoint = Readonly<{ socketPath: string }>;
/** Without any check of the caller: for tests of the protocol. Port 0 takes a free one. */
type TcpEndpoint = Readonly<{ host: string; port: number }>;

export type NodeOptions = LogOptions & Readonly<{ endpoint: SocketEndpoint | TcpEndpoint }>;

const bind = (server: Server, address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });

/** Answers the port; null on a socket. */
const listen = async (
  server: Server,
  endpoint: NodeOptions['endpoint'],
): Promise<number | null> => {
  if ('port' in endpoint) return bind(server, `${endpoint.host}:${endpoint.port}`);
  // Left behind by a kill. The log is ours by now, so no other node listens there.
  await rm(endpoint.socketPath, { force: true });
  await bind(server, `unix:${endpoint.socketPath}`);
  await chmod(endpoint.socketPath, 0o600);
  return null;
};

/**
 * A node with EventStoreDB's protocol that stores its log in PostgreSQL.
 * @throws when the address is taken or another process writes this log
 */
export const startEventStoreNode = async (options: NodeOptions): Promise<EventStoreNode> => {
  const { context, close } = await openEmbeddedLog(options);
  const { endpoint } = options;
  const host = 'host' in endpoint ? endpoint.host : 'localhost';
  let port: number | null = null;
  const server = createGrpcServer(context, () => ({ host, port: port ?? 0 }));
  port = await listen(server, endpoint).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    port,
    close: async () => {
      const closing = close();
      // One turn, so that the last statuses leave before their connections close.
      await new Promise((resolve) => setTimeout(resolve, 50));
      server.forceShutdown();
      await closing;
    },
  };
};
