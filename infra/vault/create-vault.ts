import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { personalKeyPlace, personalPlace } from '../../domain/shared/sealed.ts';
import type { PersonalSeal, ReadVault, Vault } from '../ports/vault.ts';
import { type Keyring, keyBytes, keyIdOf } from './keyring.ts';
import { type FindKey, openText, sealText, UnsealError } from './sealed-text.ts';

const transientPlace = { place: 'transient' };

const personalSealUnder = (userId: number, bytes: Buffer): PersonalSeal => {
  const key: KeyObject = createSecretKey(bytes);
  const keyId = keyIdOf(bytes);
  const opening: FindKey = (id) => (id === keyId ? key : undefined);
  return {
    seal: (plain, field) => sealText({ keyId, key }, plain, personalPlace(userId, field)),
    unseal: (sealed, field) => openText(opening, sealed, personalPlace(userId, field)),
  };
};

const openTransient = (keyring: Keyring, sealed: string): unknown => {
  try {
    return JSON.parse(openText(keyring.opening('secrets'), sealed, transientPlace));
  } catch (error) {
    if (error instanceof UnsealError || error instanceof SyntaxError) return null;
    throw error;
  }
};

/** For projections; a keyring without the other purposes is enough. */
export const createReadVault = (keyring: Keyring): ReadVault => ({
  unseal: (sealed, at) => openText(keyring.opening('secrets'), sealed, at),
  sealForRelays: (plain, at) => sealText(keyring.sealing('relay'), plain, at),
  personalSeal: (userId, wrappedKey) => {
    const opening = keyring.opening('personal-keys');
    const key = openText(opening, wrappedKey, personalKeyPlace(userId));
    return personalSealUnder(userId, Buffer.from(key, 'base64url'));
  },
});

/** AES-256-GCM and HMAC-SHA256 under the keys of the keyring. GCM compares in constant time. */
export const createVault = (keyring: Keyring): Vault => {
  const claims = createSecretKey(keyring.newest('claims').bytes);
  return {
    ...createReadVault(keyring),
    seal: (plain, at) => sealText(keyring.sealing('secrets'), plain, at),
    sealTransient: (value) =>
      sealText(keyring.sealing('secrets'), JSON.stringify(value), transientPlace),
    unsealTransient: (sealed) => openTransient(keyring, sealed),
    claimHash: (kind, value) =>
      createHmac('sha256', claims)
        .update(JSON.stringify([kind, value]))
        .digest('hex'),
    createPersonalKey: (userId) =>
      sealText(
        keyring.sealing('personal-keys'),
        randomBytes(keyBytes).toString('base64url'),
        personalKeyPlace(userId),
      ),
  };
};
