import ipaddr from 'ipaddr.js';

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

const plain = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | null =>
  ipaddr.isValid(text) ? ipaddr.process(text) : null;

const network = (text: string): Network | null => {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const address = plain(text);
  return address ? [address, address.kind() === 'ipv4' ? 32 : 128] : null;
};

const isIn = (address: ipaddr.IPv4 | ipaddr.IPv6, [base, bits]: Network): boolean =>
  address.kind() === base.kind() && address.match(base, bits);

/**
 * The address of the client. `X-Forwarded-For` is read from its end, and only as far as every hop
 * before is a trusted proxy; anything further left was written by the client.
 */
export const createClientIp = (trustedProxies: readonly string[]) => {
  const trusted = trustedProxies.map(network).filter((entry): entry is Network => entry !== null);
  const isTrusted = (text: string): boolean => {
    const address = plain(text);
    return address !== null && trusted.some((entry) => isIn(address, entry));
  };

  return (peer: string, forwardedFor: string | undefined): string => {
    const hops = (forwardedFor ?? '')
      .split(',')
      .map((hop) => hop.trim())
      .filter((hop) => hop !== '');
    let client = peer;
    while (isTrusted(client)) {
      const hop = hops.pop();
      if (hop === undefined || plain(hop) === null) break;
      client = hop;
    }
    return plain(client)?.toString() ?? client;
  };
};
