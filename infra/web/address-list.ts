import { BlockList, isIP } from 'node:net';

const addEntry = (list: BlockList, entry: string): void => {
  const [address = '', bits] = entry.split('/');
  const version = isIP(address);
  if (version === 0) return;
  const [family, maxPrefix] = version === 4 ? (['ipv4', 32] as const) : (['ipv6', 128] as const);
  const prefix = Number(bits);
  if (bits === undefined) list.addAddress(address, family);
  else if (Number.isInteger(prefix) && prefix >= 0 && prefix <= maxPrefix) {
    list.addSubnet(address, prefix, family);
  }
};

/**
 * The address list of an API key, of addresses and networks; null: it allows every address. Entries that do
 * not parse allow no address, so that a typing error does not open the key.
 */
export const addressList = (entries: readonly string[]): BlockList | null => {
  if (entries.length === 0) return null;
  const list = new BlockList();
  for (const entry of entries) addEntry(list, entry);
  return list;
};

export const allowsAddress = (list: BlockList, address: string): boolean => {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
};
