import type { JsonObject } from '../canonical.ts';
import { objectsAt, textAt } from '../json.ts';

/** Prefix of a signature of Claude's, which Google's models do not accept. */
const mark = 'claude:';

/** Signatures are bytes in this protocol, written in base64. */
const encoded = (signature: string): string => Buffer.from(mark + signature).toString('base64');

const signatureIn = (part: JsonObject): string => {
  const bytes = textAt(part, 'thoughtSignature') || textAt(part, 'thought_signature');
  const text = Buffer.from(bytes, 'base64').toString();
  return text.startsWith(mark) ? text.slice(mark.length) : '';
};

/** A part whose signature only Claude takes. */
export const isClaudeProof = (part: JsonObject): boolean => signatureIn(part) !== '';

/** Signed thoughts of a message or delta as parts; the text of a streamed one was sent before. */
export const signedThoughts = (message: JsonObject): readonly JsonObject[] =>
  objectsAt(message, 'reasoning_details')
    .filter((detail) => textAt(detail, 'signature') !== '')
    .map((detail) => ({
      text: textAt(detail, 'text'),
      thought: true,
      thoughtSignature: encoded(textAt(detail, 'signature')),
    }));

/** The thinking of a turn in the form that Claude requires back: text, then its signature. */
export const thinkingBlocks = (thoughts: readonly JsonObject[]): readonly JsonObject[] => {
  const blocks: JsonObject[] = [];
  let thinking = '';
  for (const part of thoughts) {
    thinking += textAt(part, 'text');
    const signature = signatureIn(part);
    if (signature === '') continue;
    blocks.push({ type: 'thinking', thinking, signature });
    thinking = '';
  }
  return blocks;
};
