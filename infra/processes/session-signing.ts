import { loadSecretKey } from '../config.ts';
import type { Bus, Stop } from '../ports/bus.ts';
import type { SessionSigner, SessionVerifier } from '../ports/sessions.ts';
import { sessionSigningSeed } from '../vault/derive-key.ts';
import { publishSessionKey, watchSessionKeys } from '../vault/session-key-feed.ts';
import { createSessionSigner } from '../vault/session-signer.ts';
import type { Foundation } from './foundation.ts';

/** Milliseconds. A bus that came back empty learns the key again. */
const announceEveryMs = 60_000;

/** For the processes of the control plane alone; relays and projections verify by public keys. */
export const openSessionSigner = ({ config }: Pick<Foundation, 'config'>): SessionSigner =>
  createSessionSigner(sessionSigningSeed(loadSecretKey(config)));

type OpenSessions = Readonly<{
  sessionSigner: SessionSigner;
  sessionVerifier: SessionVerifier;
  stop: Stop;
}>;

/** Opens the key that signs sessions and keeps its public half on the bus. */
export const openSessions = async (foundation: Foundation, bus: Bus): Promise<OpenSessions> => {
  const { logger } = foundation;
  const sessionSigner = openSessionSigner(foundation);
  const keys = watchSessionKeys(bus);
  await keys.start();
  await publishSessionKey(bus, sessionSigner.publicKey);
  const timer = setInterval(() => {
    publishSessionKey(bus, sessionSigner.publicKey).catch((error: unknown) => {
      logger.warn({ error }, 'the session key could not be published');
    });
  }, announceEveryMs);
  timer.unref();
  return {
    sessionSigner,
    sessionVerifier: keys.verifier,
    stop: async () => {
      clearInterval(timer);
      await keys.stop();
    },
  };
};
