import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { UserId } from '../../domain/shared/ids.ts';
import type { RelayVault } from '../../infra/ports/vault.ts';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Owner and place of the text: it opens nowhere else. */
export type Owner = Readonly<{ userId: UserId; id: string }>;

/** A key for each user, which every relay of the site can make. */
const keyOf = (vault: RelayVault, { userId }: Owner): Buffer =>
  Buffer.from(vault.mark('kept-responses', String(userId)), 'hex');

export const sealText = (vault: RelayVault, plain: string, owner: Owner): string => {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, keyOf(vault, owner), iv);
  cipher.setAAD(Buffer.from(owner.id));
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64');
};

/** @throws when it was tampered with, or is another's */
export const unsealText = (vault: RelayVault, sealed: string, owner: Owner): string => {
  const bytes = Buffer.from(sealed, 'base64');
  const iv = bytes.subarray(0, ivBytes);
  const decipher = createDecipheriv(algorithm, keyOf(vault, owner), iv);
  decipher.setAAD(Buffer.from(owner.id));
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  const text = bytes.subarray(ivBytes + tagBytes);
  return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
};
