import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { OperationsService } from '@eventstore/db-client/generated/operations_grpc_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { Logger } from '../../ports/logger.ts';
import { Log } from './log/log.ts';
import type { NodeContext } from './node-context.ts';
import { appendHandler, deleteHandler, tombstoneHandler } from './services/append.ts';
import { batchAppendHandler } from './services/batch-append.ts';
import { passThrough } from './services/calls.ts';
import { gossipHandler } from './services/gossip.ts';
import { readHandler } from './services/read.ts';
import { Scavenges } from './services/scavenges.ts';
import { supportedMethodsHandler } from './services/server-features.ts';

export type EventStoreNode = Readonly<{
  /** null on a unix socket. */
  port: number | null;
  close: () => Promise<void>;
}>;

/** A unix socket: access to its directory grants every right. */
type SocketEndpoint = Readonly<{ socketPath: string }>;
/** Without any check of the caller: for tests of the protocol. Port 0 takes a free one. */
type TcpEndpoint = Readonly<{ host: string; port: number }>;

export type NodeOptions = Readonly<{
  databaseUrl: string;
  endpoint: SocketEndpoint | TcpEndpoint;
  logger: Logger;
  /** Sum of data, metadata and twice the type names of one append; 1 MiB like the real one. */
  maxAppendBytes?: number;
}>;

const defaultMaxAppendBytes = 1024 * 1024;
/** Batches arrive in parts of up to 3 MiB; an event may be as large as an append may. */
const maxMessageBytes = 17 * 1024 * 1024;

const streamsService = {
  ...StreamsService,
  read: { ...StreamsService.read, responseSerialize: passThrough },
  batchAppend: {
    ...StreamsService.batchAppend,
    requestDeserialize: passThrough,
    responseSerialize: passThrough,
  },
};

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

/** A fresh node has system events, like the real one: clients and tests count on it. */
const seed = async (log: Log): Promise<void> => {
  const event = (type: string, data: object) => ({
    eventId: randomUUID(),
    type,
    isJson: true,
    data: Buffer.from(JSON.stringify(data)),
    metadata: Buffer.alloc(0),
  });
  const write = (stream: string, events: ReturnType<typeof event>[]) =>
    log.write({ kind: 'append', stream, expected: 'no-stream', events }, Date.now() + 10_000);
  await write('$epoch-information', [event('$epoch-information', { epochNumber: 0 })]);
  await write('$$$epoch-information', [event('$metadata', { $maxCount: 1 })]);
};

/**
 * A node with EventStoreDB's protocol that stores its log in PostgreSQL. It offers what the product uses; calls of other
 * services, such as persistent subscriptions, end with UNIMPLEMENTED.
 * @throws when the address is taken or another process writes this log
 */
export const startEventStoreNode = async (options: NodeOptions): Promise<EventStoreNode> => {
  const log = await Log.open(options);
  if (log.commits.head === 0) await seed(log);
  const stopping = new AbortController();
  // Every open call listens; there is no bound to how many there are.
  setMaxListeners(0, stopping.signal);
  const context: NodeContext = {
    log,
    logger: options.logger,
    stopping: stopping.signal,
    maxAppendBytes: options.maxAppendBytes ?? defaultMaxAppendBytes,
  };
  const server = new Server({
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
  });
  let port: number | null = null;
  server.addService(streamsService, {
    read: readHandler(context),
    append: appendHandler(context),
    batchAppend: batchAppendHandler(context),
    delete: deleteHandler(context),
    tombstone: tombstoneHandler(context),
  });
  const scavenges = new Scavenges(context);
  server.addService(OperationsService, scavenges.handlers());
  server.addService(ServerFeaturesService, { getSupportedMethods: supportedMethodsHandler });
  scavenges.schedule();
  const { endpoint } = options;
  const host = 'host' in endpoint ? endpoint.host : 'localhost';
  server.addService(GossipService, { read: gossipHandler(() => ({ host, port: port ?? 0 })) });
  port = await listen(server, endpoint).catch(async (error: unknown) => {
    await log.close();
    throw error;
  });
  return {
    port,
    close: async () => {
      stopping.abort();
      scavenges.stop();
      // One turn, so that the last statuses leave before their connections close.
      await new Promise((resolve) => setTimeout(resolve, 50));
      server.forceShutdown();
      await log.close();
    },
  };
};
