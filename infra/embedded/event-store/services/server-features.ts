import serverFeaturesPb from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js';

/** Decides which paths the client takes; must read `yy.m.p`. */
const serverVersion = '23.10.0';

const streams = 'event_store.client.streams.streams';
const operations = 'event_store.client.operations.operations';

const methods: readonly (readonly [service: string, method: string, features: string[]])[] = [
  [streams, 'append', []],
  [streams, 'read', ['position', 'events']],
  [streams, 'delete', []],
  [streams, 'tombstone', []],
  [streams, 'batchappend', ['deadline_duration']],
  ['event_store.client.gossip.gossip', 'read', []],
  ['event_store.client.server_features.serverfeatures', 'getsupportedmethods', []],
  [operations, 'startscavenge', []],
  [operations, 'stopscavenge', []],
];

type SupportedMethods = InstanceType<typeof serverFeaturesPb.SupportedMethods>;

export const supportedMethodsHandler = (
  _call: ServerUnaryCall<unknown, SupportedMethods>,
  answer: sendUnaryData<SupportedMethods>,
): void => {
  const response = new serverFeaturesPb.SupportedMethods();
  response.setEventStoreServerVersion(serverVersion);
  for (const [service, name, features] of methods) {
    const method = new serverFeaturesPb.SupportedMethod();
    method.setServiceName(service);
    method.setMethodName(name);
    method.setFeaturesList(features);
    response.addMethods(method);
  }
  answer(null, response);
};
