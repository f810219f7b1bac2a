import { hash } from 'node:crypto';

/** `pin`: the channel that the caller requests, as it was written; null: any. */
export type ApiKey = Readonly<{ key: string; pin: string | null }>;

/** The form in which an API key is stored and searched. */
export const apiKeyHash = (key: string): string => hash('sha256', key, 'hex');

const otherBearer = /^bearer\s+/i;

/**
 * The key in a credential as clients send it: `Bearer ` (of any case, RFC 7235 section 2.1) and
 * `sk-` may precede it, `-<channel>` may follow it. null: there is none.
 */
export const readApiKey = (credential: string): ApiKey | null => {
  const isUsual = credential.startsWith('Bearer ');
  let text = (isUsual ? credential.slice(7) : credential.replace(otherBearer, '')).trim();
  if (text.startsWith('sk-')) text = text.slice(3);
  const dash = text.indexOf('-');
  const key = dash === -1 ? text : text.slice(0, dash);
  if (key === '') return null;
  return { key, pin: dash === -1 ? null : (text.slice(dash + 1).split('-', 1)[0] ?? '') };
};
