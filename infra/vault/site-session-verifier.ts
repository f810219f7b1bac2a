import type { SessionVerifier } from '../ports/sessions.ts';
import type { Keyring } from './keyring.ts';
import { keyIdOf } from './session-text.ts';
import { createSessionVerifier } from './session-verifier.ts';

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
