import type { LogLevel } from '../../config.ts';
import { createLogger, defaultLevel } from '../../logging/create-logger.ts';
import { onStop } from '../../system/stop-request.ts';
import { type NodeOptions, startEventStoreNode } from './start-event-store-node.ts';

/*
 * The node as a separate process, so that its work has a separate event loop. The parent passes the
 * address, receives `ready`, and stops it or is gone.
 */

// biome-ignore lint/style/noProcessEnv: a process entry; what it reads comes from its parent, not from the operator.
const env = process.env;
const databaseUrl = env.TOLLGATE_NODE_DATABASE_URL;
/** After a crash the parent requests the previous address, so that clients find the node again. */
const socketPath = env.TOLLGATE_NODE_SOCKET;
/** Only tests of the protocol request a port: it is open to every user of the machine. */
const tcpPort = env.TOLLGATE_NODE_TCP_PORT;

const endpointFrom = (): NodeOptions['endpoint'] => {
  if (socketPath !== undefined) return { socketPath };
  if (tcpPort !== undefined) return { host: '127.0.0.1', port: Number(tcpPort) };
  throw new Error('TOLLGATE_NODE_SOCKET is not set');
};

// The parent has checked the level already.
const level = (env.LOG_LEVEL ?? defaultLevel()) as LogLevel;
const logger = createLogger({ level, name: 'event-store' });

const run = async (): Promise<void> => {
  if (databaseUrl === undefined) throw new Error('TOLLGATE_NODE_DATABASE_URL is not set');
  const node = await startEventStoreNode({ databaseUrl, endpoint: endpointFrom(), logger });
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    node.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  onStop(stop);
  process.send?.({ kind: 'ready', port: node.port });
};

run().catch((error: unknown) => {
  logger.error({ error: String(error) }, 'the event store did not start');
  process.exit(1);
});
