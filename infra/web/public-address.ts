import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/*
 * Everything that is not on the open internet: private, local, shared, reserved, multicast. Two
 * lists, because one list would find every older address in the mapped range of the newer ones.
 */
const closed4 = new BlockList();
const closed6 = new BlockList();
const ranges4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
const ranges6: readonly (readonly [string, number])[] = [
  // The whole of ::/96 and the translated forms hold addresses of the older protocol.
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 32],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
];
for (const [net, bits] of ranges4) closed4.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of ranges6) closed6.addSubnet(net, bits, 'ipv6');

export const isPublicAddress = (address: string): boolean => {
  const version = isIP(address);
  if (version === 4) return !closed4.check(address, 'ipv4');
  return version === 6 && !closed6.check(address, 'ipv6');
};

type Rule = (address: string) => boolean;

/** Of a URL's host, which writes IPv6 in brackets; names are judged when they are resolved. */
export const isClosedHost = (hostname: string, isAllowed: Rule = isPublicAddress): boolean => {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) !== 0 && !isAllowed(bare);
};

/** Resolves names to addresses that are allowed; the connection goes to what was checked. */
export const createPublicLookup =
  (isAllowed: Rule = isPublicAddress, resolve: typeof lookup = lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, '');
        return;
      }
      const [first] = found;
      if (first === undefined || !found.every(({ address }) => isAllowed(address))) {
        callback(new Error('the address is not public'), '');
      } else if (options.all === true) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
