import { isOfClaude } from '../../../protocol/anthropic/google-proof.ts';
import type { JsonObject } from '../../../protocol/canonical.ts';
import { isObject, parseJson } from '../../../protocol/json.ts';
import { scanMembers } from '../../../protocol/scan-body.ts';
import { valueText } from '../../../protocol/splice.ts';

/** What proofs of other providers begin with, and thoughts without any. */
const signs = ['"google:', '"signature":""', '"signature": ""'].map((text) => Buffer.from(text));

const isForeign = (block: unknown): boolean =>
  isObject(block) && block.type === 'thinking' && !isOfClaude(block);

const ownTurn = (message: unknown): unknown => {
  if (!isObject(message) || message.role !== 'assistant' || !Array.isArray(message.content)) {
    return message;
  }
  const content = message.content.filter((block) => !isForeign(block));
  if (content.length === message.content.length) return message;
  // The provider refuses turns without content.
  return { ...message, content: content.length === 0 ? '...' : content } satisfies JsonObject;
};

/**
 * The messages of a caller whose conversation began with another provider, without its thoughts:
 * Claude refuses what it has not signed. null: there are none.
 */
export const withoutForeignThoughts = (body: Buffer): string | null => {
  if (!signs.some((sign) => body.includes(sign))) return null;
  const member = scanMembers(body)?.get('messages');
  const messages = member === undefined ? null : parseJson(valueText(body, member));
  if (!Array.isArray(messages)) return null;
  const own = messages.map(ownTurn);
  return own.some((message, at) => message !== messages[at]) ? JSON.stringify(own) : null;
};
