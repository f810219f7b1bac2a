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
  /** Session cookies: sealed JSON with an own key. null when forged or malformed. */
  sealSession(session: unknown): string;
  unsealSession(cookie: string): unknown | null;
  /** Keyed hash (HMAC-SHA256, hex) for uniqueness claims over personal data. */
  claimHash(kind: string, value: string): string;
  /** A fresh personal key, wrapped under `SECRET_KEY`. */
  createPersonalKey(): string;
  /** @throws when the wrapped key was tampered with */
  personalSeal(wrappedKey: string): PersonalSeal;
}
