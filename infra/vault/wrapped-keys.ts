import { createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import {
  type KeyPurpose,
  type KeyringWritten,
  keyPurposes,
  type WrappedKey,
} from '../../domain/keyring/events.ts';
import type { Place } from '../../domain/shared/sealed.ts';
import { type DataKey, dataKey, keyBytes, keyIdOf } from './keyring.ts';
import { type FindKey, openText, type SealingKey, sealText } from './sealed-text.ts';

const saltBytes = 32;

/** The key that wraps keys (HKDF-SHA256 of `SECRET_KEY`); each writing has a separate salt. */
const wrappingKey = (secretKey: string, salt: string): SealingKey => {
  const bytes = Buffer.from(
    hkdfSync('sha256', secretKey, Buffer.from(salt, 'base64url'), 'tollgate.keyring', keyBytes),
  );
  return { keyId: keyIdOf(bytes), key: createSecretKey(bytes) };
};

/** The key of a purpose that seals. */
export const newestOf = (keys: readonly WrappedKey[], purpose: KeyPurpose): WrappedKey | null =>
  keys
    .filter((key) => key.purpose === purpose)
    .reduce<WrappedKey | null>(
      (best, key) => (best === null || key.version > best.version ? key : best),
      null,
    );

const placeOf = ({ purpose, version, keyId }: Pick<WrappedKey, 'purpose' | 'version' | 'keyId'>) =>
  ({ place: `keyring/${purpose}/${version}/${keyId}` }) satisfies Place;

/** The data of an event that holds these keys under this `SECRET_KEY`. */
export const wrapKeys = (
  secretKey: string,
  keys: readonly DataKey[],
  cause: KeyringWritten['data']['cause'],
): KeyringWritten['data'] => {
  const salt = randomBytes(saltBytes).toString('base64url');
  const wrapping = wrappingKey(secretKey, salt);
  return {
    cause,
    salt,
    keys: keys.map((key) => {
      const { purpose, version, keyId, createdAt, bytes } = key;
      const wrapped = sealText(wrapping, bytes.toString('base64url'), placeOf(key));
      return { purpose, version, keyId, wrapped, createdAt };
    }),
  };
};

/**
 * The keys in the clear; those of unsupported purposes are left out.
 * @throws UnsealError when this `SECRET_KEY` does not open them
 */
export const unwrapKeys = (
  secretKey: string,
  { salt, keys }: Pick<KeyringWritten['data'], 'salt' | 'keys'>,
): readonly DataKey[] => {
  const { keyId: wrappingId, key } = wrappingKey(secretKey, salt);
  const opening: FindKey = (keyId) => (keyId === wrappingId ? key : undefined);
  const known: readonly string[] = keyPurposes;
  return keys
    .filter(({ purpose }) => known.includes(purpose))
    .map((wrapped) => {
      const { purpose, version, createdAt } = wrapped;
      const bytes = Buffer.from(openText(opening, wrapped.wrapped, placeOf(wrapped)), 'base64url');
      return dataKey(purpose, version, { bytes, createdAt });
    });
};
