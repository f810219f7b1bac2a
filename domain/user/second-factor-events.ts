import type { Event } from '../shared/event.ts';
import type { UserId } from '../shared/ids.ts';
import type { WithReason } from '../shared/reason.ts';
import type { SealedPersonal } from '../shared/sealed.ts';

/** What a factor was used for: to sign in, or to confirm a call that cannot be taken back. */
export type FactorPurpose = 'sign-in' | 'confirmation';

/** Time-based one-time passwords (RFC 6238). `timeStep` is the one of the code that proved it. */
export type TotpEnrolled = Event<
  'TotpEnrolled',
  { userId: UserId; secret: SealedPersonal; timeStep: number }
>;
export type TotpRemoved = Event<'TotpRemoved', { userId: UserId }>;
/** A code counts once: later ones need a later time step (RFC 6238, section 5.2). */
export type TotpCodeUsed = Event<
  'TotpCodeUsed',
  { userId: UserId; timeStep: number; purpose: FactorPurpose }
>;

/** Replaces the whole set. Keyed hashes only; the codes are shown once. */
export type RecoveryCodesIssued = Event<
  'RecoveryCodesIssued',
  { userId: UserId; codeHashes: readonly string[] }
>;
export type RecoveryCodeUsed = Event<
  'RecoveryCodeUsed',
  { userId: UserId; codeHash: string; purpose: FactorPurpose }
>;

/** A WebAuthn credential. Id and public key are random and made for this site. */
export type PasskeyAdded = Event<
  'PasskeyAdded',
  {
    userId: UserId;
    /** base64url */
    credentialId: string;
    /** COSE key, base64url. */
    publicKey: string;
    counter: number;
    name: SealedPersonal;
    transports: readonly string[];
  }
>;
export type PasskeyRenamed = Event<
  'PasskeyRenamed',
  { userId: UserId; credentialId: string; name: SealedPersonal }
>;
export type PasskeyRemoved = Event<'PasskeyRemoved', { userId: UserId; credentialId: string }>;
export type PasskeyUsed = Event<
  'PasskeyUsed',
  { userId: UserId; credentialId: string; counter: number; purpose: FactorPurpose }
>;

/** All of them at once, by an administrator or the operator: the person has lost the device. */
export type SecondFactorsRemoved = Event<'SecondFactorsRemoved', { userId: UserId } & WithReason>;

export type SecondFactorEvent =
  | TotpEnrolled
  | TotpRemoved
  | TotpCodeUsed
  | RecoveryCodesIssued
  | RecoveryCodeUsed
  | PasskeyAdded
  | PasskeyRenamed
  | PasskeyRemoved
  | PasskeyUsed
  | SecondFactorsRemoved;
