import { defineEvents, type EventsOf } from '../shared/catalogue.ts';
import { userId } from '../shared/ids.ts';
import { withReason } from '../shared/reason.ts';
import { sealedPersonal } from '../shared/sealed.ts';
import { type Infer, list, oneOf, text, whole } from '../shared/shape.ts';

/** What a factor was used for: to sign in, or to confirm a call that cannot be undone. */
const purpose = oneOf('sign-in', 'confirmation');
export type FactorPurpose = Infer<typeof purpose>;

const audited = defineEvents('user', 'user');

export const secondFactorEvents = {
  /** Time-based one-time passwords (RFC 6238). `timeStep` is the one of the code that proved it. */
  TotpEnrolled: audited({ userId, secret: sealedPersonal, timeStep: whole }),
  TotpRemoved: audited({ userId }),
  /** A code counts once: later ones need a later time step (RFC 6238, section 5.2). */
  TotpCodeUsed: audited({ userId, timeStep: whole, purpose }),
  /** Replaces the whole set. Keyed hashes only; the codes are shown once. */
  RecoveryCodesIssued: audited({ userId, codeHashes: list(text) }),
  RecoveryCodeUsed: audited({ userId, codeHash: text, purpose }),
  /** A WebAuthn credential. Id and public key are random and made for this site. */
  PasskeyAdded: audited({
    userId,
    /** base64url */
    credentialId: text,
    /** COSE key, base64url. */
    publicKey: text,
    counter: whole,
    name: sealedPersonal,
    transports: list(text),
  }),
  PasskeyRenamed: audited({ userId, credentialId: text, name: sealedPersonal }),
  PasskeyRemoved: audited({ userId, credentialId: text }),
  PasskeyUsed: audited({ userId, credentialId: text, counter: whole, purpose }),
  /** All of them at once, by an administrator or the operator: the person has lost the device. */
  SecondFactorsRemoved: audited({ userId, ...withReason }),
};

type Events = EventsOf<typeof secondFactorEvents>;
export type RecoveryCodesIssued = Events['RecoveryCodesIssued'];
export type PasskeyAdded = Events['PasskeyAdded'];
export type SecondFactorEvent = Events[keyof Events];
