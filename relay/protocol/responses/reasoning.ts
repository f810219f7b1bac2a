import type { JsonObject } from '../canonical.ts';
import { objectAt, objectsAt, parseObject, textAt } from '../json.ts';

/** What a provider requires back of a thought, in the form in which callers keep it for us. */
export type Proofs = Readonly<{
  /** Thoughts with their signatures. */
  details: readonly JsonObject[];
  /** Signatures of Gemini: of calls by their ids, and of the text outside of them. */
  calls: Readonly<Record<string, unknown>>;
  text: unknown;
}>;

export const noProofs: Proofs = { details: [], calls: {}, text: undefined };

/** Separates our own content from that of other makers, whose content only they can read. */
const version = 'tollgate-1';

export const hasProofs = ({ details, calls, text }: Proofs): boolean =>
  details.length > 0 || text !== undefined || Object.keys(calls).length > 0;

export const sealedProofs = (proofs: Proofs): string =>
  Buffer.from(JSON.stringify({ version, ...proofs })).toString('base64');

/** null: another maker's. */
export const openedProofs = (item: JsonObject): Proofs | null => {
  const sealed = textAt(item, 'encrypted_content');
  const kept = sealed === '' ? null : parseObject(Buffer.from(sealed, 'base64').toString('utf8'));
  if (kept === null || kept.version !== version) return null;
  return { details: objectsAt(kept, 'details'), calls: objectAt(kept, 'calls'), text: kept.text };
};

export const googleProof = (owner: JsonObject): unknown =>
  objectAt(objectAt(owner, 'extra_content'), 'google').thought_signature;

export const withGoogleProof = (owner: JsonObject, signature: unknown): JsonObject =>
  signature === undefined
    ? owner
    : { ...owner, extra_content: { google: { thought_signature: signature } } };
