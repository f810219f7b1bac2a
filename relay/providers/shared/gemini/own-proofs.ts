import type { JsonObject } from '../../../protocol/canonical.ts';
import { isClaudeProof } from '../../../protocol/gemini/claude-proof.ts';
import { isObject, objectsAt, parseJson } from '../../../protocol/json.ts';
import { scanMembers } from '../../../protocol/scan-body.ts';
import { valueText } from '../../../protocol/splice.ts';
import { isCallPart, withSignatures } from './contents.ts';

/** What Claude's signatures begin with, as this protocol carries them. */
const sign = Buffer.from('"Y2xhdWRlO');
const calls = ['"functionCall"', '"function_call"'].map((text) => Buffer.from(text));

const ownPart = (part: JsonObject): JsonObject | null => {
  if (!isClaudeProof(part)) return part;
  const { thoughtSignature: _, thought_signature: __, ...own } = part;
  return own.thought === true ? null : own;
};

type Content = Readonly<{ role: 'user' | 'model'; parts: readonly JsonObject[] }>;

const isTurn = (content: unknown): content is JsonObject & Content =>
  isObject(content) && content.role === 'model' && Array.isArray(content.parts);

const ownTurn = (content: unknown, isSigning: boolean): unknown => {
  if (!isTurn(content)) return content;
  const known = objectsAt(content, 'parts');
  const parts = known.map(ownPart).filter((part) => part !== null);
  const isSame = parts.length === known.length && parts.every((part, at) => part === known[at]);
  const own = isSame ? content : { ...content, parts };
  if (!isSigning || !own.parts.some(isCallPart)) return own;
  return withSignatures([own])[0] ?? own;
};

/**
 * The conversation of a caller that began with another provider, as Google accepts it: without
 * Claude's signatures, and with the documented one where a call lacks its signature. null:
 * unchanged.
 */
export const withOwnProofs = (body: Buffer, isSigning: boolean): string | null => {
  const hasCalls = isSigning && calls.some((name) => body.includes(name));
  if (!hasCalls && !body.includes(sign)) return null;
  const member = scanMembers(body)?.get('contents');
  const contents = member === undefined ? null : parseJson(valueText(body, member));
  if (!Array.isArray(contents)) return null;
  const own = contents.map((content) => ownTurn(content, isSigning));
  return own.some((content, at) => content !== contents[at]) ? JSON.stringify(own) : null;
};
