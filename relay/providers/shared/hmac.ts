import { createHmac, hash } from 'node:crypto';

export const hmacSha256 = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

export const sha256Hex = (text: string): string => hash('sha256', text, 'hex');

/** Each part is signed with the result of the previous one: the keys of TC3 and its variants. */
export const hmacChain = (secret: string, parts: readonly string[]): Buffer =>
  parts.reduce<Buffer>((key, part) => hmacSha256(key, part), Buffer.from(secret));
