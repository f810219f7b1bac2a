import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { OperationsService } from '@eventstore/db-client/generated/operations_grpc_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Server } from '@grpc/grpc-js';
import type { NodeContext } from './node-context.ts';
import { appendHandler, deleteHandler, tombstoneHandler } from './services/append.ts';
import { batchAppendHandler } from './services/batch-append.ts';
import { passThrough } from './services/calls.ts';
import { gossipHandler } from './services/gossip.ts';
import { readHandler } from './services/read.ts';
import { Scavenges } from './services/scavenges.ts';
import { supportedMethodsHandler } from './services/server-features.ts';

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

/**
 * A server with EventStoreDB's protocol over a log. It offers what the product uses; calls of other services, such as
 * persistent subscriptions, end with UNIMPLEMENTED. `address`: what it reports as its own.
 */
export const createGrpcServer = (
  context: NodeContext,
  address: () => Readonly<{ host: string; port: number }>,
): Server => {
  const server = new Server({
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
  });
  server.addService(streamsService, {
    read: readHandler(context),
    append: appendHandler(context),
    batchAppend: batchAppendHandler(context),
    delete: deleteHandler(context),
    tombstone: tombstoneHandler(context),
  });
  server.addService(OperationsService, new Scavenges(context).handlers());
  server.addService(ServerFeaturesService, { getSupportedMethods: supportedMethodsHandler });
  server.addService(GossipService, { read: gossipHandler(address) });
  return server;
};
