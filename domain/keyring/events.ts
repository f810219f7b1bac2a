import { defineEvents, type EventsOf } from '../shared/catalogue.ts';
import { type Infer, instant, list, object, text, textOf, whole } from '../shared/shape.ts';

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
const wrappedKey = object({
  purpose: textOf<KeyPurpose>(),
  /** The newest of a purpose seals. */
  version: whole,
  /** Part of every text that the key sealed; reveals nothing of the key. */
  keyId: text,
  wrapped: text,
  createdAt: instant,
});
export type WrappedKey = Infer<typeof wrappedKey>;

const unaudited = defineEvents('keyring', null);

export const keyringEvents = {
  /**
   * The keys of the site were created, one was added, or all were wrapped under another `SECRET_KEY`.
   * Each event carries them all; the stream keeps the newest only, so that a scavenge takes away what an
   * older `SECRET_KEY` opens.
   */
  KeyringWritten: unaudited({
    cause: textOf<'created' | 'renewed' | 'rotated'>(),
    /** base64url; the wrapping key is derived from it and `SECRET_KEY`. */
    salt: text,
    keys: list(wrappedKey),
  }),
};

export type KeyringWritten = EventsOf<typeof keyringEvents>['KeyringWritten'];
