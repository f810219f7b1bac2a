import { setTimeout as sleep } from 'node:timers/promises';
import { BACKWARDS, END, EventStoreDBClient, StreamNotFoundError } from '@eventstore/db-client';
import { OperationsClient } from '@eventstore/db-client/generated/operations_grpc_pb.js';
import operationsPb from '@eventstore/db-client/generated/operations_pb.js';
import type { CallOptions, Metadata } from '@grpc/grpc-js';
import { connectionStringOf } from './socket-address.ts';
import { widenFlowWindow } from './wide-window.ts';

type Started = Readonly<{ scavengeId: string; isAnother: boolean }>;
/** `result` is the store's own word: `Success`, `Stopped`, `Failed`. */
export type ScavengeReport = Readonly<{ scavengeId: string; result: string }>;

const askAgainMs = 500;
const deadline = 30_000;

/**
 * The client includes the service and has no method for it. These are what its own methods are made
 * of: they have the channel, the certificates and the user of the connection string.
 */
type Inside = Readonly<{
  execute: <T>(
    service: typeof OperationsClient,
    name: string,
    call: (operations: OperationsClient) => Promise<T>,
  ) => Promise<T>;
  callArguments: (options: Readonly<{ deadline: number }>) => [Metadata, CallOptions];
}>;

const start = (client: EventStoreDBClient): Promise<Started> => {
  const inside = client as unknown as Inside;
  const options = new operationsPb.StartScavengeReq.Options().setThreadCount(1);
  const request = new operationsPb.StartScavengeReq().setOptions(options);
  return inside.execute(OperationsClient, 'startScavenge', (operations) => {
    const [metadata, callOptions] = inside.callArguments({ deadline });
    return new Promise((resolve, reject) => {
      operations.startScavenge(request, metadata, callOptions, (error, answer) => {
        if (error !== null) {
          reject(error);
          return;
        }
        const { INPROGRESS } = operationsPb.ScavengeResp.ScavengeResult;
        const isAnother = answer.getScavengeResult() === INPROGRESS;
        resolve({ scavengeId: answer.getScavengeId(), isAnother });
      });
    });
  });
};

/** null while it runs. */
const resultOf = async (client: EventStoreDBClient, scavengeId: string): Promise<string | null> => {
  const newest = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;
  let result: string | null = null;
  try {
    // To its end: the client waits on close for every read that was left early.
    for await (const { event } of client.readStream(`$scavenges-${scavengeId}`, newest)) {
      if (event?.type !== '$scavengeCompleted') continue;
      result = String((event.data as { result?: unknown }).result ?? 'Success');
    }
  } catch (error) {
    if (!(error instanceof StreamNotFoundError)) throw error;
  }
  return result;
};

const untilDone = async (client: EventStoreDBClient, scavengeId: string): Promise<string> => {
  for (;;) {
    const result = await resultOf(client, scavengeId);
    if (result !== null) return result;
    await sleep(askAgainMs);
  }
};

/**
 * Makes the store remove what was deleted, and waits for the end. A scavenge that runs already may
 * have passed the place in question, so another one follows it.
 * @throws when the store refuses; a real one requires a user of the group $ops
 */
export const scavengeEventStore = async (url: string): Promise<ScavengeReport> => {
  widenFlowWindow();
  const client = EventStoreDBClient.connectionString(connectionStringOf(url));
  try {
    let started = await start(client);
    while (started.isAnother) {
      await untilDone(client, started.scavengeId);
      started = await start(client);
    }
    const { scavengeId } = started;
    return { scavengeId, result: await untilDone(client, scavengeId) };
  } finally {
    await client.dispose();
  }
};
