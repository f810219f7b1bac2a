import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { PersonalSeal, Vault } from '../ports/vault.ts';
import { deriveKeyBytes } from './derive-key.ts';

/** The text was tampered with, is malformed, or was sealed under another key. */
export class UnsealError extends Error {
  constructor() {
    super('sealed text does not open under this key');
    this.name = 'UnsealError';
  }
}

const ivBytes = 12;
const tagBytes = 16;
const keyBytes = 32;
const version = 'v1';

const deriveKey = (secretKey: string, purpose: string): KeyObject =>
  createSecretKey(deriveKeyBytes(secretKey, purpose));

const encrypt = (key: KeyObject, plain: string): string => {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  const parts = [iv, cipher.getAuthTag(), text].map((part) => part.toString('base64url'));
  return [version, ...parts].join('.');
};

/** Only the canonical spelling opens: one sealed text, one form. */
const decode = (part: string | undefined): Buffer => {
  const bytes = Buffer.from(part ?? '', 'base64url');
  if (part === undefined || bytes.toString('base64url') !== part) throw new UnsealError();
  return bytes;
};

const decrypt = (key: KeyObject, sealed: string): string => {
  const [prefix, iv64, tag64, text64, ...rest] = sealed.split('.');
  const [iv, tag, text] = [decode(iv64), decode(tag64), decode(text64)];
  if (prefix !== version || rest.length > 0) throw new UnsealError();
  if (iv.length !== ivBytes || tag.length !== tagBytes) throw new UnsealError();
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  decipher.setAuthTag(tag);
  const start = decipher.update(text);
  try {
    return Buffer.concat([start, decipher.final()]).toString('utf8');
  } catch {
    throw new UnsealError();
  }
};

const personalSealUnder = (key: KeyObject): PersonalSeal => ({
  seal: (plain) => encrypt(key, plain),
  unseal: (sealed) => decrypt(key, sealed),
});

const openTransient = (key: KeyObject, sealed: string): unknown => {
  try {
    return JSON.parse(decrypt(key, sealed));
  } catch (error) {
    if (error instanceof UnsealError || error instanceof SyntaxError) return null;
    throw error;
  }
};

/** AES-256-GCM and HMAC-SHA256 under keys derived from `SECRET_KEY`. GCM compares in constant time. */
export const createVault = (secretKey: string): Vault => {
  const secrets = deriveKey(secretKey, 'secrets');
  const transient = deriveKey(secretKey, 'transient');
  const claims = deriveKey(secretKey, 'claims');
  const personalKeys = deriveKey(secretKey, 'personal-keys');
  return {
    seal: (plain) => encrypt(secrets, plain),
    unseal: (sealed) => decrypt(secrets, sealed),
    sealTransient: (value) => encrypt(transient, JSON.stringify(value)),
    unsealTransient: (sealed) => openTransient(transient, sealed),
    claimHash: (kind, value) =>
      createHmac('sha256', claims)
        .update(JSON.stringify([kind, value]))
        .digest('hex'),
    createPersonalKey: () => encrypt(personalKeys, randomBytes(keyBytes).toString('base64url')),
    personalSeal: (wrappedKey) =>
      personalSealUnder(
        createSecretKey(Buffer.from(decrypt(personalKeys, wrappedKey), 'base64url')),
      ),
  };
};
