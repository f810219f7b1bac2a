import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RelayVault } from '../ports/vault.ts';
import { type DataKey, type Keyring, subKey } from './keyring.ts';
import { openText } from './sealed-text.ts';

const markUnder = ({ bytes }: DataKey, kind: string, value: string): string =>
  createHmac('sha256', subKey(bytes, 'mark'))
    .update(JSON.stringify([kind, value]))
    .digest('hex');

const isSame = (left: string, right: string): boolean => {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
};

/** For relays; `keyring` may learn its keys later. */
export const createRelayVault = (keyring: () => Keyring): RelayVault => ({
  unseal: (sealed, at) => openText(keyring().opening('relay'), sealed, at),
  mark: (kind, value) => markUnder(keyring().newest('relay'), kind, value),
  isMark: (kind, value, mark) =>
    keyring()
      .of('relay')
      .some((key) => isSame(markUnder(key, kind, value), mark)),
});
