import { livePath } from './live-path.ts';

/** The protocol that a caller uses. */
export type Protocol = 'openai' | 'claude' | 'gemini' | 'cohere' | 'ollama';

/** By the address alone: an error answers in the caller's protocol from the first check on. */
export const protocolOf = (url: string): Protocol => {
  if (url.startsWith('/v1/messages')) return 'claude';
  if (url.startsWith('/v1beta/') || livePath(url) !== '') return 'gemini';
  if (url.startsWith('/v2/')) return 'cohere';
  if (url.startsWith('/api/')) return 'ollama';
  return url.startsWith('/v1/models/') && url.includes(':') ? 'gemini' : 'openai';
};
