import type { Sealed, SealedPersonal } from '../../domain/shared/sealed.ts';

/** Seals under the key of one person. */
export type PersonalSeal = Readonly<{
  seal: (plain: string) => SealedPersonal;
  /** @throws when the text was sealed under another key */
  unseal: (sealed: SealedPersonal) => string;
}>;

/** AES-256-GCM under `SECRET_KEY`; purposes are kept apart by derived keys. */
export interface Vault {
  /** For secrets in events: channel keys, token keys, option secrets. */
  seal(plain: string): Sealed;
  /** @throws when the text was tampered with or sealed under another key */
  unseal(sealed: Sealed): string;
  /**
   * JSON that the command API hands out and takes back: states of logins, proofs of a human, marks
   * of known devices. Never written to the log.
   */
  sealTransient(value: unknown): string;
  /** null when forged or malformed. */
  unsealTransient(sealed: string): unknown;
  /** Keyed hash (HMAC-SHA256, hex) for uniqueness claims over personal data. */
  claimHash(kind: string, value: string): string;
  /** A fresh personal key, wrapped under `SECRET_KEY`. */
  createPersonalKey(): string;
  /** @throws when the wrapped key was tampered with */
  personalSeal(wrappedKey: string): PersonalSeal;
}
