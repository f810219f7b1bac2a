import { hkdfSync } from 'node:crypto';

const keyBytes = 32;

/** One key for each purpose (HKDF-SHA256), so that what one key made is never taken by another. */
export const deriveKeyBytes = (secretKey: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, 'tollgate.vault.v1', purpose, keyBytes));

/** The one place that says where the seed of the key that signs sessions comes from. */
export const sessionSigningSeed = (secretKey: string): Buffer =>
  deriveKeyBytes(secretKey, 'session-signing');
