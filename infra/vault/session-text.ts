import { hash } from 'node:crypto';

/** A session cookie: `<key id>.<payload>.<signature>`, the last two base64url. */
export type SessionText = Readonly<{ keyId: string; payload: string; signature: Buffer }>;

const maxLength = 1_024;
const shape = /^([0-9a-f]{16})\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{86})$/;

/** Names the purpose, so that no other text that this key ever signs passes for a session. */
export const signedBytes = (keyId: string, payload: string): Buffer =>
  Buffer.from(`tollgate.session.v1\n${keyId}.${payload}`, 'utf8');

export const keyIdOf = (publicKey: Buffer): string => hash('sha256', publicKey, 'hex').slice(0, 16);

export const joinSessionText = ({ keyId, payload, signature }: SessionText): string =>
  `${keyId}.${payload}.${signature.toString('base64url')}`;

/** null when the text has another form. Only the canonical spelling counts: one session, one text. */
export const splitSessionText = (text: string): SessionText | null => {
  const [, keyId, payload, signature64] = (text.length <= maxLength && shape.exec(text)) || [];
  if (keyId === undefined || payload === undefined || signature64 === undefined) return null;
  const signature = Buffer.from(signature64, 'base64url');
  return signature.toString('base64url') === signature64 ? { keyId, payload, signature } : null;
};
