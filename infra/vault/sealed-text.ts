import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import type { Place } from '../../domain/shared/sealed.ts';

/*
 * `v2.<key id>.<iv>.<tag>.<text>`, AES-256-GCM, with the place that the text belongs to as additional
 * data.
 */

/** The text was tampered with, is malformed, belongs elsewhere, or was sealed under another key. */
export class UnsealError extends Error {
  constructor() {
    super('sealed text does not open here');
    this.name = 'UnsealError';
  }
}

export type SealingKey = Readonly<{ keyId: string; key: KeyObject }>;

/** The key of one purpose that opens texts sealed under this id. */
export type FindKey = (keyId: string) => KeyObject | undefined;

const ivBytes = 12;
const tagBytes = 16;

const additionalData = ({ place }: Place): Buffer => Buffer.from(`tollgate.v2 ${place}`, 'utf8');

export const sealText = ({ keyId, key }: SealingKey, plain: string, at: Place): string => {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  cipher.setAAD(additionalData(at));
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  const parts = [iv, cipher.getAuthTag(), text].map((part) => part.toString('base64url'));
  return ['v2', keyId, ...parts].join('.');
};

/** Only the canonical spelling opens: one sealed text, one form. */
const bytesOf = (part: string | undefined): Buffer => {
  const bytes = Buffer.from(part ?? '', 'base64url');
  if (part === undefined || bytes.toString('base64url') !== part) throw new UnsealError();
  return bytes;
};

const decrypt = (key: KeyObject | undefined, parts: readonly string[], aad: Buffer): string => {
  const [iv, tag, text] = [bytesOf(parts[0]), bytesOf(parts[1]), bytesOf(parts[2])];
  if (key === undefined || parts.length !== 3) throw new UnsealError();
  if (iv.length !== ivBytes || tag.length !== tagBytes) throw new UnsealError();
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  decipher.setAAD(aad);
  decipher.setAuthTag(tag);
  const start = decipher.update(text);
  try {
    return Buffer.concat([start, decipher.final()]).toString('utf8');
  } catch {
    throw new UnsealError();
  }
};

/** @throws UnsealError */
export const openText = (findKey: FindKey, sealed: string, at: Place): string => {
  const [version, keyId = '', ...parts] = sealed.split('.');
  if (version !== 'v2') throw new UnsealError();
  return decrypt(findKey(keyId), parts, additionalData(at));
};
