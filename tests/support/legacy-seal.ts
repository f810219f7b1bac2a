import { createCipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/*
 * Texts and hashes as the product made them before there was a keyring, written here from their
 * definition: HKDF-SHA256 of SECRET_KEY (salt `tollgate.vault.v1`, info the purpose), AES-256-GCM.
 */

export const legacyKey = (secretKey: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, 'tollgate.vault.v1', purpose, 32));

export const legacySeal = (key: Buffer, plain: string): string => {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return ['v1', ...[iv, cipher.getAuthTag(), text].map((part) => part.toString('base64url'))].join(
    '.',
  );
};

export const legacyClaimHash = (secretKey: string, kind: string, value: string): string =>
  createHmac('sha256', legacyKey(secretKey, 'claims'))
    .update(JSON.stringify([kind, value]))
    .digest('hex');
