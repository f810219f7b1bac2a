import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { NodeContext } from './node-context.ts';

/** What reads a log over a socket takes 20 MB of memory: it is loaded with the first connection. */
const openInjector = async (context: NodeContext) => {
  const { ServerCredentials } = await import('@grpc/grpc-js');
  const { createGrpcServer } = await import('./grpc-server.ts');
  const server = createGrpcServer(context, () => ({ host: 'localhost', port: 0 }));
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  return { injector, shutDown: () => server.forceShutdown() };
};

/**
 * Serves a log that this process has open to tools of this machine (`npm run verify`, backups) with EventStoreDB's
 * protocol, behind a socket whose directory grants every right.
 */
export const serveOnDemand = async (
  context: NodeContext,
  socketPath: string,
): Promise<() => Promise<void>> => {
  let opening: ReturnType<typeof openInjector> | null = null;
  const listener = createServer({ pauseOnConnect: true }, (socket) => {
    opening ??= openInjector(context);
    opening.then(
      ({ injector }) => {
        injector.injectConnection(socket);
        socket.resume();
      },
      (error: unknown) => {
        opening = null;
        socket.destroy();
        context.logger.error({ error: String(error) }, 'the log is not served to tools');
      },
    );
  });
  // Left behind by a kill. The log is ours by now, so no other node listens there.
  await rm(socketPath, { force: true });
  listener.listen(socketPath);
  await once(listener, 'listening');
  await chmod(socketPath, 0o600);
  return async () => {
    listener.close();
    (await opening)?.shutDown();
    await rm(socketPath, { force: true });
  };
};
