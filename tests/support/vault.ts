import { hkdfSync } from 'node:crypto';
import { keyPurposes } from '../../domain/keyring/events.ts';
import { channelKeyPlace } from '../../domain/shared/sealed.ts';
import type { RelayVault, Vault } from '../../infra/ports/vault.ts';
import { createRelayVault } from '../../infra/vault/create-relay-vault.ts';
import { createVault } from '../../infra/vault/create-vault.ts';
import { dataKey, Keyring } from '../../infra/vault/keyring.ts';
import { verificationKey } from '../../infra/vault/new-keys.ts';

const createdAt = '2026-01-01T00:00:00.000Z';

const bytesOf = (site: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', site, '', purpose, 32));

/** The keys of a site in a test: the same for the same name, as after a restart. */
export const keyringOf = (site: string): Keyring =>
  new Keyring(
    keyPurposes.map((purpose) => {
      const from = purpose === 'session-verification' ? 'session-signing' : purpose;
      const key = dataKey(from, 1, { bytes: bytesOf(site, from), createdAt });
      return from === purpose ? key : verificationKey(key);
    }),
  );

export const vaultOf = (site: string): Vault => createVault(keyringOf(site));

export const relayVaultOf = (site: string): RelayVault => {
  const keyring = keyringOf(site);
  return createRelayVault(() => keyring);
};

/** A channel's key as the feed brings it to relays. */
export const fedKey = (vault: Vault, channelId: number, key: string): string =>
  vault.sealForRelays(key, channelKeyPlace(channelId));
