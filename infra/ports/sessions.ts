import type { Session } from '../../domain/access/session.ts';
import type { SessionId } from '../../domain/shared/ids.ts';

/** The public half of a key that signs sessions. */
export type SessionPublicKey = Readonly<{
  keyId: string;
  /** Ed25519 (RFC 8032): 32 bytes, base64url. */
  publicKey: string;
}>;

/** The control plane's alone: who holds one can open sessions. */
export interface SessionSigner {
  readonly publicKey: SessionPublicKey;
  /** The value of a session cookie. */
  sign(session: Session): string;
}

/**
 * Distinguishes a session cookie of the control plane from a forged one; needs public keys only.
 */
export interface SessionVerifier {
  /** The signed content; null when the text is malformed, or not signed by one of the keys. */
  verify(text: string): unknown;
}

/** When sessions were last used: coarse, outside the log, and lost without harm. */
export interface SessionUse {
  /** The session is used now. Does not wait. */
  note(sessionId: SessionId): void;
  /** Unix milliseconds, of the sessions with a recorded use. */
  lastUsedAt(sessionIds: readonly SessionId[]): Promise<ReadonlyMap<SessionId, number>>;
}
