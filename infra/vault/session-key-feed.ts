import type { Bus, Stop } from '../ports/bus.ts';
import type { SessionPublicKey, SessionVerifier } from '../ports/sessions.ts';
import { createSessionVerifier } from './session-verifier.ts';

/** Entries of this feed have no place in the log. */
const position = 1n;

/** Tells everybody on the bus by which key sessions are signed. Harmless to repeat. */
export const publishSessionKey = (bus: Bus, key: SessionPublicKey): Promise<void> =>
  bus.feed<SessionPublicKey>('sessionKeys').put([{ key: key.keyId, position, value: key }]);

export type WatchedSessionKeys = Readonly<{
  verifier: SessionVerifier;
  /** Resolves once the keys that the bus holds are known. */
  start: () => Promise<void>;
  stop: Stop;
}>;

/** A verifier that learns the keys of the control plane from the bus. */
export const watchSessionKeys = (bus: Bus): WatchedSessionKeys => {
  const verifier = createSessionVerifier();
  let stop: Stop | null = null;
  return {
    verifier,
    start: async () => {
      const watch = await bus.feed<SessionPublicKey>('sessionKeys').watch((entries) => {
        for (const { key, value } of entries) {
          if (value === null) verifier.remove(key);
          else verifier.add(value);
        }
      });
      stop = watch.stop;
      await watch.ready;
    },
    stop: async () => {
      await stop?.();
      stop = null;
    },
  };
};
