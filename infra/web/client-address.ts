import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What is needed of a request: its connection and its headers. */
type Incoming = Readonly<{
  socket: Readonly<{ remoteAddress?: string | undefined }>;
  headers: IncomingHttpHeaders;
}>;

export type ClientAddress = (request: Incoming) => string;

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
    if (bits === undefined) list.addAddress(canonical(address), familyOf(canonical(address)));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
};

/**
 * The address of the client. `X-Forwarded-For` is read from its end, and only as far as every hop
 * before is a trusted proxy; anything further left was written by the client.
 */
export const createClientAddress = (trustedProxies: readonly string[]): ClientAddress => {
  if (trustedProxies.length === 0)
    return (request) => canonical(request.socket.remoteAddress ?? '');
  const trusted = listOf(trustedProxies);
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && trusted.check(address, familyOf(address));
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
