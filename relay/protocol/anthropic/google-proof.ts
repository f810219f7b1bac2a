import type { JsonObject } from '../canonical.ts';
import { objectAt, textAt } from '../json.ts';

/** Prefix of a thought signature of Google's, which no other provider accepts. */
const mark = 'google:';

/** The proof of a thought as the signature of a thinking block; "" where there is none. */
export const signatureOf = (owner: JsonObject): string => {
  const proof = textAt(objectAt(objectAt(owner, 'extra_content'), 'google'), 'thought_signature');
  return proof === '' ? '' : mark + proof;
};

/** A thought whose signature Claude itself gave: it refuses all others. */
export const isOfClaude = ({ type, signature }: JsonObject): boolean =>
  type === 'redacted_thinking' ||
  (typeof signature === 'string' && signature !== '' && !signature.startsWith(mark));

const proven = (owner: JsonObject, signature: string): JsonObject =>
  signature === ''
    ? owner
    : { ...owner, extra_content: { google: { thought_signature: signature } } };

export type ProvenTurn = Readonly<{
  calls: readonly JsonObject[];
  /** Members of the message: the signature of its text, apart from its calls. */
  message: JsonObject;
}>;

/** A turn in Google's form: each call with the signature of the thought before it. */
export const provenTurn = (
  blocks: readonly JsonObject[],
  calls: readonly JsonObject[],
): ProvenTurn => {
  const found: JsonObject[] = [];
  let pending = '';
  for (const block of blocks) {
    const signature = textAt(block, 'signature');
    if (block.type === 'thinking' && signature.startsWith(mark)) {
      pending = signature.slice(mark.length);
    }
    const call = block.type === 'tool_use' ? calls[found.length] : undefined;
    if (call === undefined) continue;
    found.push(proven(call, pending));
    pending = '';
  }
  return { calls: found, message: proven({}, pending) };
};
