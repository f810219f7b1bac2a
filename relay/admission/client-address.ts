import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

export type ClientAddress = (req: IncomingMessage) => string;

const plain = (address: string): string =>
  address.startsWith('::ffff:') ? address.slice(7) : address;

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const listOf = (proxies: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
};

/**
 * The caller's address: the socket's, or, behind trusted proxies, the last entry of
 * `X-Forwarded-For` that no trusted proxy wrote about itself.
 */
export const createClientAddress = (trustedProxies: readonly string[]): ClientAddress => {
  if (trustedProxies.length === 0) return (req) => plain(req.socket.remoteAddress ?? '');
  const trusted = listOf(trustedProxies);
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && trusted.check(address, familyOf(address));
  return (req) => {
    let address = plain(req.socket.remoteAddress ?? '');
    const header = req.headers['x-forwarded-for'];
    if (header === undefined) return address;
    const hops = String(header).split(',');
    while (isTrusted(address)) {
      const before = plain(hops.pop()?.trim() ?? '');
      if (isIP(before) === 0) return address;
      address = before;
    }
    return address;
  };
};
