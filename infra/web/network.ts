import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Parts of an IPv6 address that one customer of a network shares, 16 bits each. */
const ipv6NetworkParts = 4;

/**
 * The network that an address belongs to: /24 of IPv4, /64 of IPv6. One customer has many addresses
 * in it, so they are counted together.
 */
export const networkOf = (address: string): string => {
  const version = isIP(address);
  if (version === 4) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  if (version !== 6) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return networkOf(parsed.toString());
  const { parts } = parsed as ipaddr.IPv6;
  const prefix = parts.slice(0, ipv6NetworkParts).map((part) => part.toString(16));
  return `${prefix.join(':')}::/64`;
};

/** What counts as one caller: an IPv4 address, or the /64 that a caller has to itself (RFC 6177). */
export const callerOf = (address: string): string => {
  if (isIP(address) !== 6) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : networkOf(address);
};
