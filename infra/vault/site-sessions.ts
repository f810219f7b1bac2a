import type { SessionSigner, SessionVerifier } from '../ports/sessions.ts';
import { type DataKey, dataKey, type Keyring } from './keyring.ts';
import { createSessionSigner } from './session-signer.ts';
import { keyIdOf } from './session-text.ts';
import { createSessionVerifier } from './session-verifier.ts';

/** The public half of a key that signs sessions, as a key of the ring. */
export const verificationKey = ({ bytes, version, createdAt }: DataKey): DataKey => {
  const { publicKey } = createSessionSigner(bytes).publicKey;
  const half = { bytes: Buffer.from(publicKey, 'base64url'), createdAt };
  return dataKey('session-verification', version, half);
};

/** @throws MissingKeyError in a process that may only verify */
export const siteSessionSigner = (keyring: Keyring): SessionSigner =>
  createSessionSigner(keyring.newest('session-signing').bytes);

/** By the keys that `keyring` holds at the time of the question. */
export const siteSessionVerifier = (keyring: () => Keyring): SessionVerifier => {
  const verifier = createSessionVerifier();
  const known = new Set<string>();
  const learn = (): void => {
    for (const { keyId, bytes } of keyring().of('session-verification')) {
      if (known.has(keyId)) continue;
      known.add(keyId);
      verifier.add({ keyId: keyIdOf(bytes), publicKey: bytes.toString('base64url') });
    }
  };
  return {
    verify: (text) => {
      learn();
      return verifier.verify(text);
    },
  };
};
