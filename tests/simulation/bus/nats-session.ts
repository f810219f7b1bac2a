import type { Logger } from '../../../infra/ports/logger.ts';
import type { Machine } from '../world/machine.ts';
import type { Network } from '../world/network.ts';
import { createRemoteCalls, LineBrokenError, type RemoteCalls } from '../world/remote-calls.ts';
import { natsErrors } from './nats-errors.ts';
import type { NatsServer } from './nats-server.ts';

export type NatsClientNeeds = Readonly<{
  network: Network;
  machine: Machine;
  server: NatsServer;
  logger: Logger;
}>;

/** The client library's own patience with JetStream. */
const apiTimeoutMs = 5_000;
const reconnectWaitMs = 250;

const createListeners = () => {
  const listeners = new Set<() => void>();
  return {
    add: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    callAll: (): void => {
      for (const listener of [...listeners]) listener();
    },
  };
};

/** What the parts of one client share. */
export type NatsSession = Readonly<{
  needs: NatsClientNeeds;
  api: RemoteCalls;
  isConnected: () => boolean;
  onReconnect: (listener: () => void) => () => void;
  onDisconnect: (listener: () => void) => () => void;
}>;

/** A call of the JetStream API, with the errors of the client library. */
export const apiCall = async <T>({ api }: NatsSession, serve: () => T): Promise<T> => {
  try {
    return await api.call(serve);
  } catch (error) {
    throw error instanceof LineBrokenError ? natsErrors.timeout() : error;
  }
};

export const openSession = (needs: NatsClientNeeds): NatsSession => {
  const { network, machine, server } = needs;
  const reconnected = createListeners();
  const disconnected = createListeners();
  let isConnected = network.isUp(machine, server.machine);
  const notice = machine.bind(() => {
    if (!isConnected) return;
    isConnected = false;
    disconnected.callAll();
    retry();
  });
  const retry = (): void => {
    machine.timers.setTimeout(() => {
      if (isConnected) return;
      if (!network.isUp(machine, server.machine)) return retry();
      isConnected = true;
      reconnected.callAll();
    }, reconnectWaitMs);
  };
  network.watch(machine, server.machine, (isUp) => {
    if (!isUp) notice();
  });
  if (!isConnected) retry();
  const api = createRemoteCalls({
    network,
    machine,
    server: server.machine,
    attemptMs: apiTimeoutMs,
  });
  return {
    needs,
    api,
    isConnected: () => isConnected,
    onReconnect: reconnected.add,
    onDisconnect: disconnected.add,
  };
};
