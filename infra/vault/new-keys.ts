import { type KeyPurpose, keyPurposes } from '../../domain/keyring/events.ts';
import { type DataKey, randomDataKey } from './keyring.ts';
import { verificationKey } from './site-sessions.ts';

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
