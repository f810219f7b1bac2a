import type { Event } from '../shared/event.ts';

/**
 * What a key is for; a text sealed for one purpose never opens for another. `claims` hashes unique
 * values, so its key is never replaced.
 */
export type KeyPurpose =
  | 'secrets'
  | 'personal-keys'
  | 'claims'
  | 'session-signing'
  /** The public halves of those before: a holder can verify and not sign. */
  | 'session-verification'
  | 'relay';

export const keyPurposes = [
  'secrets',
  'personal-keys',
  'claims',
  'session-signing',
  'session-verification',
  'relay',
] as const satisfies readonly KeyPurpose[];

/** One key, sealed under a key that is derived from `SECRET_KEY`. */
export type WrappedKey = Readonly<{
  purpose: KeyPurpose;
  /** The newest of a purpose seals. 0 was derived from `SECRET_KEY` before there was a keyring. */
  version: number;
  /** Stands in every text that the key sealed; says nothing of the key. */
  keyId: string;
  wrapped: string;
  /** ISO-8601 */
  createdAt: string;
}>;

/**
 * The keys of the site were created, one was added, or all were wrapped under another `SECRET_KEY`.
 * Each event holds them all; the stream keeps the newest only, so that a scavenge takes away what an
 * older `SECRET_KEY` opens.
 */
export type KeyringWritten = Event<
  'KeyringWritten',
  {
    cause: 'created' | 'renewed' | 'rotated';
    /** base64url; the wrapping key is derived from it and `SECRET_KEY`. */
    salt: string;
    keys: readonly WrappedKey[];
  }
>;
