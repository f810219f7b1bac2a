import { Agent, type Dispatcher, ProxyAgent, Socks5ProxyAgent } from 'undici';
import { createPublicLookup, isClosedHost } from '../../infra/web/public-address.ts';

const connectTimeoutMs = 10_000;

const onlyPublic = new Agent({
  connect: { lookup: createPublicLookup(), timeout: connectTimeoutMs },
});
const anywhere = new Agent({ connect: { timeout: connectTimeoutMs } });

/** Plain HTTP takes a tunnel as well: the proxy sees no key, and many proxies offer CONNECT only. */
export const createProxyAgent = (proxy: string): Dispatcher =>
  proxy.startsWith('socks')
    ? new Socks5ProxyAgent(proxy)
    : new ProxyAgent({ uri: proxy, proxyTunnel: true });

const proxies = new Map<string, Dispatcher>();
const proxied = (proxy: string): Dispatcher => {
  const agent = proxies.get(proxy) ?? createProxyAgent(proxy);
  proxies.set(proxy, agent);
  return agent;
};

export type Destination = Readonly<{
  /** "" for none. */
  proxy: string;
  /** The address was chosen by others: private ranges are refused after name resolution. */
  publicOnly: boolean;
}>;

/** @throws when the address may not be called */
export const dispatcherFor = (url: URL, { proxy, publicOnly }: Destination): Dispatcher => {
  if (!publicOnly) return proxy === '' ? anywhere : proxied(proxy);
  if (isClosedHost(url.hostname) || !/^https?:$/.test(url.protocol)) {
    throw new Error('the address is not public');
  }
  return onlyPublic;
};
