import { createSessionUse } from '../../infra/bus/session-use.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import { createSessionSigner } from '../../infra/vault/session-signer.ts';
import { createSessionVerifier } from '../../infra/vault/session-verifier.ts';
import { silentLogger } from './silent-logger.ts';

/** The key that signs sessions in tests. */
export const testSigner = createSessionSigner(Buffer.alloc(32, 7));

export const testVerifier = createSessionVerifier();
testVerifier.add(testSigner.publicKey);

/** What the read side needs of sessions. */
export const testReadSessions = (bus: Bus, clock: Clock = () => new Date()) => ({
  sessionVerifier: testVerifier,
  sessionUse: createSessionUse({ bus, clock, logger: silentLogger }),
});

/** What the write side needs of sessions. */
export const testSessions = (bus: Bus, clock?: Clock) => ({
  sessionSigner: testSigner,
  ...testReadSessions(bus, clock),
});
