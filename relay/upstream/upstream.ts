import type { Dispatcher } from 'undici';
import { mayThink } from '../protocol/model-traits.ts';
import { UpstreamCall, type UpstreamListener } from './call.ts';
import { createDispatchHandler } from './dispatch-handler.ts';
import { createProxyAgent } from './dispatchers.ts';
import { HttpClient } from './http1/http-client.ts';
import { ReadingTurns } from './reading-turns.ts';
import { SocketCall } from './socket-call.ts';
import type { UpstreamRequest } from './types.ts';

export type UpstreamSettings = Readonly<{
  headersTimeoutMs: number;
  /** Silence between two pieces of an answer. */
  idleTimeoutMs: number;
}>;

const connectTimeoutMs = 10_000;

export type Upstream = Readonly<{
  dispatch: (request: UpstreamRequest, listener: UpstreamListener) => UpstreamCall;
  close: () => Promise<void>;
}>;

export const createUpstream = (settings: UpstreamSettings): Upstream => {
  const { headersTimeoutMs, idleTimeoutMs } = settings;
  const direct = new HttpClient({
    connectMs: connectTimeoutMs,
    headMs: headersTimeoutMs,
    idleMs: idleTimeoutMs,
  });
  const proxies = new Map<string, Dispatcher>();

  const proxyOf = (proxy: string): Dispatcher => {
    const agent = proxies.get(proxy) ?? createProxyAgent(proxy);
    proxies.set(proxy, agent);
    return agent;
  };

  const sockets = new Set<SocketCall>();
  const turns = new ReadingTurns();

  return {
    dispatch: (request, listener) => {
      const call = new UpstreamCall(listener, turns);
      // Reasoning models send nothing while they think (infra/reference/protocols.md, section 15.2).
      const factor = mayThink(request.upstreamModel) ? 2 : 1;
      try {
        if (request.origin.startsWith('ws')) {
          const times = { headersTimeoutMs, idleTimeoutMs: idleTimeoutMs * factor };
          new SocketCall(request, { call, times, open: sockets });
          return call;
        }
        if (request.proxy === '') {
          direct.send(request, call, factor);
          return call;
        }
        proxyOf(request.proxy).dispatch(
          {
            origin: request.origin,
            path: request.path,
            method: request.method ?? 'POST',
            headers: [...request.headers, 'accept-encoding', 'identity'],
            body: request.body,
            headersTimeout: headersTimeoutMs,
            bodyTimeout: idleTimeoutMs * factor,
          },
          createDispatchHandler(call),
        );
      } catch (error) {
        // A header value or proxy address that cannot be used; the caller gets it like any failure.
        queueMicrotask(() =>
          call.onError(error instanceof Error ? error : new Error(String(error))),
        );
      }
      return call;
    },
    close: async () => {
      for (const socket of [...sockets]) socket.breakOff();
      direct.close();
      await Promise.all([...proxies.values()].map((dispatcher) => dispatcher.destroy()));
    },
  };
};
