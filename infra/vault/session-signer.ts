import { sign } from 'node:crypto';
import type { SessionSigner } from '../ports/sessions.ts';
import { privateKeyOf, publicKeyOf } from './ed25519.ts';
import type { Keyring } from './keyring.ts';
import { joinSessionText, keyIdOf, signedBytes } from './session-text.ts';

/** Signs session cookies by Ed25519. @throws when the seed is not 32 bytes long */
export const createSessionSigner = (seed: Uint8Array): SessionSigner => {
  const privateKey = privateKeyOf(seed);
  const publicKey = publicKeyOf(seed);
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

/** @throws MissingKeyError in a process that may only verify */
export const siteSessionSigner = (keyring: Keyring): SessionSigner =>
  createSessionSigner(keyring.newest('session-signing').bytes);
