import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { SessionSigner } from '../ports/sessions.ts';
import { joinSessionText, keyIdOf, signedBytes } from './session-text.ts';

/** What stands before the seed in the PKCS #8 form of an Ed25519 private key (RFC 8410, section 7). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const seedBytes = 32;
const publicKeyBytes = 32;

/** Signs session cookies by Ed25519. @throws when the seed is not 32 bytes long */
export const createSessionSigner = (seed: Uint8Array): SessionSigner => {
  if (seed.length !== seedBytes) throw new Error(`a session key needs ${seedBytes} bytes`);
  const der = Buffer.concat([pkcs8Prefix, seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const publicKey = spki.subarray(-publicKeyBytes);
  const keyId = keyIdOf(publicKey);
  return {
    publicKey: { keyId, publicKey: publicKey.toString('base64url') },
    sign: (session) => {
      const payload = Buffer.from(JSON.stringify(session), 'utf8').toString('base64url');
      const signature = sign(null, signedBytes(keyId, payload), privateKey);
      return joinSessionText({ keyId, payload, signature });
    },
  };
};
