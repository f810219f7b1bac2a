import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { SessionPublicKey, SessionVerifier } from '../ports/sessions.ts';
import { keyIdOf, signedBytes, splitSessionText } from './session-text.ts';

export type SessionKeys = SessionVerifier &
  Readonly<{
    /** From now on sessions signed by this key count. A key under another's id is left out. */
    add: (key: SessionPublicKey) => void;
    remove: (keyId: string) => void;
  }>;

/** Prefix of the key in the SPKI form of an Ed25519 public key (RFC 8410, section 4). */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');
const publicKeyBytes = 32;

const keyObjectOf = ({ keyId, publicKey }: SessionPublicKey): KeyObject | null => {
  const bytes = Buffer.from(publicKey, 'base64url');
  if (bytes.length !== publicKeyBytes || keyIdOf(bytes) !== keyId) return null;
  const key = Buffer.concat([spkiPrefix, bytes]);
  return createPublicKey({ key, format: 'der', type: 'spki' });
};

const parsed = (payload: string): unknown => {
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
};

/** Verifies session cookies with the public keys that it is given. */
export const createSessionVerifier = (): SessionKeys => {
  const known = new Map<string, KeyObject>();
  return {
    add: (key) => {
      const object = keyObjectOf(key);
      if (object !== null) known.set(key.keyId, object);
    },
    remove: (keyId) => void known.delete(keyId),
    verify: (text) => {
      const parts = splitSessionText(text);
      const key = parts === null ? undefined : known.get(parts.keyId);
      if (parts === null || key === undefined) return null;
      const { keyId, payload, signature } = parts;
      return verify(null, signedBytes(keyId, payload), key, signature) ? parsed(payload) : null;
    },
  };
};
