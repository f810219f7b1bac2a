import type { TextCall } from '../protocol/calls.ts';
import { scanMembers } from '../protocol/scan-body.ts';
import { shortText } from '../protocol/splice.ts';
import { splitEffort } from '../providers/shared/effort.ts';

const families = /^(?:o[134]|gpt-5|grok-3-mini)/;
const plainWord = /^"([a-z]{1,16})"$/;

const inResponses = (body: Buffer): string | undefined => {
  const member = scanMembers(body)?.get('reasoning');
  if (member === undefined) return undefined;
  return /"effort"\s*:\s*"([a-z]{1,16})"/.exec(shortText(body, member, 4_096))?.[1];
};

/**
 * The requested reasoning effort, by the body or by the end of the model's name; undefined: none.
 */
export const reasoningEffortOf = (call: TextCall): string | undefined => {
  const { operation, body, scan, model } = call;
  const member = scan.members.reasoning_effort;
  if (member !== undefined) return plainWord.exec(shortText(body, member, 64))?.[1];
  if (operation === 'responses') return inResponses(body);
  return families.test(model) ? (splitEffort(model).effort ?? undefined) : undefined;
};
