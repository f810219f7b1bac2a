import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What is needed of a request: its connection and its headers. */
type Incoming = Readonly<{
  socket: Readonly<{ remoteAddress?: string | undefined }>;
  headers: IncomingHttpHeaders;
}>;

export type ClientAddress = (request: Incoming) => string;
export type ForwardedProtocol = (request: Incoming) => 'http' | 'https';

/**
 * In a list of trusted proxies: whatever connects over a unix socket, which has no address. Files
 * and their modes decide who that is.
 */
export const unixSocketPeer = 'unix:';

/** One spelling for each address; an IPv4-mapped IPv6 address becomes its IPv4 address. */
const canonical = (address: string): string => {
  if (isIP(address) !== 6) return address;
  return ipaddr.process(address).toString();
};

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const listOf = (proxies: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    if (isIP(address) === 0) continue;
    if (bits === undefined) list.addAddress(canonical(address), familyOf(canonical(address)));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
};

/** Is the peer at this address a trusted proxy? The address of a unix socket's peer is "". */
export const createProxyTrust = (
  trustedProxies: readonly string[],
): ((address: string) => boolean) => {
  const list = listOf(trustedProxies);
  const trustsUnixSockets = trustedProxies.includes(unixSocketPeer);
  return (given) => {
    const address = canonical(given);
    if (address === '') return trustsUnixSockets;
    return isIP(address) !== 0 && list.check(address, familyOf(address));
  };
};

/**
 * The address of the client. `X-Forwarded-For` is read from its end, and only as far as every hop
 * before is a trusted proxy; anything further left was written by the client.
 */
export const createClientAddress = (trustedProxies: readonly string[]): ClientAddress => {
  if (trustedProxies.length === 0)
    return (request) => canonical(request.socket.remoteAddress ?? '');
  const isTrusted = createProxyTrust(trustedProxies);
  return ({ socket, headers }) => {
    let address = canonical(socket.remoteAddress ?? '');
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined) return address;
    const hops = String(forwarded)
      .split(',')
      .map((hop) => hop.trim())
      .filter((hop) => hop !== '');
    while (isTrusted(address)) {
      const hop = hops.pop() ?? '';
      if (isIP(hop) === 0) break;
      address = canonical(hop);
    }
    return address;
  };
};

/**
 * The client's protocol to the outermost proxy. `X-Forwarded-Proto` counts from a trusted proxy
 * only; of several values the last is the one that it wrote itself.
 */
export const createForwardedProtocol = (trustedProxies: readonly string[]): ForwardedProtocol => {
  const isTrusted = createProxyTrust(trustedProxies);
  return ({ socket, headers }) => {
    const reported = headers['x-forwarded-proto'];
    if (reported === undefined || !isTrusted(socket.remoteAddress ?? '')) return 'http';
    const last = String(reported).split(',').at(-1)?.trim().toLowerCase();
    return last === 'https' ? 'https' : 'http';
  };
};
