import type { JsonObject } from '../canonical.ts';
import { objectAt, textAt } from '../json.ts';

/** Stands before a proof of Google's, which no other provider takes. */
const mark = 'google:';

/** The proof of a call's thought as the signature of a thinking block; "" where there is none. */
export const signatureOfCall = (call: JsonObject): string => {
  const proof = textAt(objectAt(objectAt(call, 'extra_content'), 'google'), 'thought_signature');
  return proof === '' ? '' : mark + proof;
};

/** The calls of a turn as Google knows them: the first with the proof that the turn came with. */
export const provenCalls = (
  thoughts: readonly JsonObject[],
  calls: readonly JsonObject[],
): readonly JsonObject[] => {
  const signature = textAt(thoughts.at(-1) ?? {}, 'signature');
  const [first, ...others] = calls;
  if (first === undefined || !signature.startsWith(mark)) return calls;
  const google = { thought_signature: signature.slice(mark.length) };
  return [{ ...first, extra_content: { google } }, ...others];
};
