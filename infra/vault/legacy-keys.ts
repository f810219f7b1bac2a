import { hkdfSync } from 'node:crypto';
import type { KeyPurpose } from '../../domain/keyring/events.ts';
import { type DataKey, dataKey, keyBytes } from './keyring.ts';
import { newKeys } from './new-keys.ts';

/*
 * Before there was a keyring the keys were derived from `SECRET_KEY` itself. The log contains what
 * they sealed, and the hashes that they made; they remain as version 0.
 */

const legacyNames: Partial<Record<KeyPurpose, string>> = {
  secrets: 'secrets',
  'personal-keys': 'personal-keys',
  claims: 'claims',
};

const legacyBytes = (secretKey: string, name: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, 'tollgate.vault.v1', name, keyBytes));

export const legacyKeys = (secretKey: string, createdAt: string): readonly DataKey[] =>
  Object.entries(legacyNames).map(([purpose, name]) =>
    dataKey(purpose as KeyPurpose, 0, { bytes: legacyBytes(secretKey, name), createdAt }),
  );

/** Of a site that was there before the keyring: hashes of claims must stay what they are. */
export const keysOfOldSite = (secretKey: string, createdAt: string): readonly DataKey[] => [
  ...legacyKeys(secretKey, createdAt),
  ...newKeys(createdAt).filter(({ purpose }) => purpose !== 'claims'),
];
