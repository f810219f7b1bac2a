import { type KeyPurpose, keyPurposes } from '../../domain/keyring/events.ts';
import { publicKeyOf } from './ed25519.ts';
import { type DataKey, dataKey, randomDataKey } from './keyring.ts';

/** The public half of a key that signs sessions, as a key of the ring. */
export const verificationKey = ({ bytes, version, createdAt }: DataKey): DataKey =>
  dataKey('session-verification', version, { bytes: publicKeyOf(bytes), createdAt });

/** A fresh key of a purpose, with its public half where it has one. */
export const freshKeys = (
  purpose: KeyPurpose,
  version: number,
  createdAt: string,
): readonly DataKey[] => {
  const key = randomDataKey(purpose, version, createdAt);
  return purpose === 'session-signing' ? [key, verificationKey(key)] : [key];
};

/** The keys of a new site. */
export const newKeys = (createdAt: string): readonly DataKey[] =>
  keyPurposes
    .filter((purpose) => purpose !== 'session-verification')
    .flatMap((purpose) => freshKeys(purpose, 1, createdAt));
