import { createHash, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import type { KeyPurpose } from '../../domain/keyring/events.ts';
import type { FindKey, SealingKey } from './sealed-text.ts';

/** A key in the clear, as it is held in memory. */
export type DataKey = Readonly<{
  purpose: KeyPurpose;
  version: number;
  keyId: string;
  bytes: Buffer;
  createdAt: string;
}>;

export const keyBytes = 32;
const keyIdLength = 12;

/** Identifies a key; of 256 random bits it reveals nothing. */
export const keyIdOf = (bytes: Buffer): string =>
  createHash('sha256')
    .update('tollgate.key-id')
    .update(bytes)
    .digest('base64url')
    .slice(0, keyIdLength);

export const dataKey = (
  purpose: KeyPurpose,
  version: number,
  { bytes, createdAt }: Pick<DataKey, 'bytes' | 'createdAt'>,
): DataKey => ({ purpose, version, keyId: keyIdOf(bytes), bytes, createdAt });

export const randomDataKey = (purpose: KeyPurpose, version: number, createdAt: string): DataKey =>
  dataKey(purpose, version, { bytes: randomBytes(keyBytes), createdAt });

/** A separate key for one use of a data key (HKDF-SHA256). */
export const subKey = (bytes: Buffer, use: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', bytes, '', `tollgate.${use}`, keyBytes)));

/** A process lacks the key of an operation. */
export class MissingKeyError extends Error {
  constructor(purpose: KeyPurpose) {
    super(`this process holds no key for ${purpose}`);
    this.name = 'MissingKeyError';
  }
}

type PurposeKeys = {
  newest: DataKey | null;
  byId: Map<string, KeyObject>;
};

/** The keys that a process holds. The newest of a purpose at its start is the one that seals. */
export class Keyring {
  readonly #keys: DataKey[] = [];
  readonly #byPurpose = new Map<KeyPurpose, PurposeKeys>();

  constructor(keys: readonly DataKey[]) {
    this.learn(keys);
    for (const key of keys) {
      const held = this.#of(key.purpose);
      if (held.newest === null || key.version > held.newest.version) held.newest = key;
    }
  }

  /** Further keys open texts; which key seals stays as it is until the process starts again. */
  learn(keys: readonly DataKey[]): void {
    for (const key of keys) {
      const { byId } = this.#of(key.purpose);
      if (byId.has(key.keyId)) continue;
      byId.set(key.keyId, createSecretKey(key.bytes));
      this.#keys.push(key);
    }
  }

  get keys(): readonly DataKey[] {
    return this.#keys;
  }

  of(purpose: KeyPurpose): readonly DataKey[] {
    return this.#keys.filter((key) => key.purpose === purpose);
  }

  holds(purpose: KeyPurpose, keyId: string): boolean {
    return this.#of(purpose).byId.has(keyId);
  }

  /** @throws MissingKeyError */
  newest(purpose: KeyPurpose): DataKey {
    const { newest } = this.#of(purpose);
    if (newest === null) throw new MissingKeyError(purpose);
    return newest;
  }

  /** @throws MissingKeyError */
  sealing(purpose: KeyPurpose): SealingKey {
    const { keyId } = this.newest(purpose);
    const key = this.#of(purpose).byId.get(keyId);
    if (key === undefined) throw new MissingKeyError(purpose);
    return { keyId, key };
  }

  opening(purpose: KeyPurpose): FindKey {
    const { byId } = this.#of(purpose);
    return (keyId) => byId.get(keyId);
  }

  #of(purpose: KeyPurpose): PurposeKeys {
    const known = this.#byPurpose.get(purpose);
    if (known !== undefined) return known;
    const fresh: PurposeKeys = { newest: null, byId: new Map() };
    this.#byPurpose.set(purpose, fresh);
    return fresh;
  }
}
