import { Agent, type Dispatcher, ProxyAgent, Socks5ProxyAgent } from 'undici';
import { createPublicLookup, isClosedHost } from '../../infra/web/public-address.ts';

const connectTimeoutMs = 10_000;

const onlyPublic = new Agent({
  connect: { lookup: createPublicLookup(), timeout: connectTimeoutMs },
});
const anywhere = new Agent({ connect: { timeout: connectTimeoutMs } });

const proxies = new Map<string, Dispatcher>();
const proxied = (proxy: string): Dispatcher => {
  const known =
    proxies.get(proxy) ??
    (proxy.startsWith('socks') ? new Socks5ProxyAgent(proxy) : new ProxyAgent(proxy));
  proxies.set(proxy, known);
  return known;
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
