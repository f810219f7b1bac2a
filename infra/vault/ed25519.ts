import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** Prefix of the seed in the PKCS #8 form of an Ed25519 private key (RFC 8410, section 7). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const seedBytes = 32;
const publicKeyBytes = 32;

/** @throws when the seed is not 32 bytes long */
export const privateKeyOf = (seed: Uint8Array): KeyObject => {
  if (seed.length !== seedBytes) throw new Error(`a session key needs ${seedBytes} bytes`);
  const der = Buffer.concat([pkcs8Prefix, seed]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
};

/** The 32 bytes of the public half (RFC 8032). @throws when the seed is not 32 bytes long */
export const publicKeyOf = (seed: Uint8Array): Buffer => {
  const spki = createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' });
  return spki.subarray(-publicKeyBytes);
};
