import { expect, test } from 'vitest';
import { callerOf, networkOf } from './network.ts';

test.each([
  ['192.0.2.7', '192.0.2.0/24'],
  ['192.0.2.255', '192.0.2.0/24'],
  ['192.0.3.7', '192.0.3.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['::ffff:192.0.2.7', '192.0.2.0/24'],
  ['::1', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
])('%s is of the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('a caller is an address of IPv4, or a network of IPv6', () => {
  expect(callerOf('192.0.2.7')).toBe('192.0.2.7');
  expect(callerOf('2001:db8:1:2::1')).toBe(callerOf('2001:db8:1:2:ffff::9'));
});
