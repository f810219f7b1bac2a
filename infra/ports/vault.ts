import type { PersonalField, Place, Sealed, SealedPersonal } from '../../domain/shared/sealed.ts';

/** Seals under the key of one person. */
export type PersonalSeal = Readonly<{
  seal: (plain: string, field: PersonalField) => SealedPersonal;
  /** @throws when the text was sealed under another key or for another field */
  unseal: (sealed: SealedPersonal, field: PersonalField) => string;
}>;

/** What a process needs that shows what the log holds. */
export interface ReadVault {
  /** @throws when the text was tampered with, belongs elsewhere, or was sealed under another key */
  unseal(sealed: Sealed, at: Place): string;
  /** @throws when the wrapped key was tampered with or is another person's */
  personalSeal(userId: number, wrappedKey: string): PersonalSeal;
  /** For what relays open: they hold no key for what is sealed in the log. */
  sealForRelays(plain: string, at: Place): Sealed;
}

/** Seals under the keys of the site; each purpose has separate keys. */
export interface Vault extends ReadVault {
  /** For secrets in events: channel keys, token keys, option secrets. */
  seal(plain: string, at: Place): Sealed;
  /**
   * JSON that the command API issues and accepts back: states of logins, proofs of a human, marks
   * of trusted devices. Never written to the log.
   */
  sealTransient(value: unknown): string;
  /** null when forged or malformed. */
  unsealTransient(sealed: string): unknown;
  /** Keyed hash (HMAC-SHA256, hex) for uniqueness claims over personal data. Never changes. */
  claimHash(kind: string, value: string): string;
  /** A fresh key of one person, wrapped. */
  createPersonalKey(userId: number): string;
}

/** What a relay can do with keys. */
export interface RelayVault {
  /** Opens what was sealed for relays. @throws as above */
  unseal(sealed: Sealed, at: Place): string;
  /** A mark (HMAC-SHA256, hex) that only relays of this site can make. */
  mark(kind: string, value: string): string;
  /** In constant time. */
  isMark(kind: string, value: string, mark: string): boolean;
}
