import { type Dispatcher, Pool, ProxyAgent, Socks5ProxyAgent } from 'undici';
import type { UpstreamRequest } from '../providers/types.ts';
import { UpstreamCall, type UpstreamListener } from './call.ts';
import { SocketCall } from './socket-call.ts';

export type UpstreamSettings = Readonly<{
  headersTimeoutMs: number;
  /** Silence between two pieces of an answer. */
  idleTimeoutMs: number;
}>;

/** Reasoning models think in silence before they speak (relay sheet, section 21). */
const slowModel = /^o[1-9](?:-|$)/;
const connectTimeoutMs = 10_000;

export type Upstream = Readonly<{
  dispatch: (request: UpstreamRequest, listener: UpstreamListener) => UpstreamCall;
  close: () => Promise<void>;
}>;

const proxyAgent = (proxy: string): Dispatcher =>
  proxy.startsWith('socks') ? new Socks5ProxyAgent(proxy) : new ProxyAgent(proxy);

/**
 * One pool per origin, without a cap on connections: providers say how much they allow, and a
 * small cap starves many slow calls (a pool of 256 served a fifth at 2,048 clients).
 */
export const createUpstream = (settings: UpstreamSettings): Upstream => {
  const pools = new Map<string, Dispatcher>();
  const proxies = new Map<string, Dispatcher>();

  const poolOf = (origin: string): Dispatcher => {
    const known = pools.get(origin);
    if (known !== undefined) return known;
    const pool = new Pool(origin, {
      connections: null,
      pipelining: 1,
      connect: { timeout: connectTimeoutMs },
    });
    pools.set(origin, pool);
    return pool;
  };

  const proxyOf = (proxy: string): Dispatcher => {
    const known = proxies.get(proxy) ?? proxyAgent(proxy);
    proxies.set(proxy, known);
    return known;
  };

  const sockets = new Set<SocketCall>();

  return {
    dispatch: (request, listener) => {
      const call = new UpstreamCall(listener);
      const factor = slowModel.test(request.upstreamModel) ? 2 : 1;
      try {
        if (request.origin.startsWith('ws')) {
          new SocketCall(request, { call, times: settings, open: sockets });
          return call;
        }
        const dispatcher = request.proxy === '' ? poolOf(request.origin) : proxyOf(request.proxy);
        dispatcher.dispatch(
          {
            origin: request.origin,
            path: request.path,
            method: request.method ?? 'POST',
            headers: request.headers as string[],
            body: request.body,
            headersTimeout: settings.headersTimeoutMs,
            bodyTimeout: settings.idleTimeoutMs * factor,
          },
          call,
        );
      } catch (error) {
        // A header value or proxy address that cannot be used; the caller hears it like any failure.
        queueMicrotask(() =>
          call.onError(error instanceof Error ? error : new Error(String(error))),
        );
      }
      return call;
    },
    close: async () => {
      for (const socket of [...sockets]) socket.breakOff();
      const all = [...pools.values(), ...proxies.values()];
      await Promise.all(all.map((dispatcher) => dispatcher.destroy()));
    },
  };
};
