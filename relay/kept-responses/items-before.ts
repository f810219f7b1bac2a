import type { JsonObject } from '../protocol/canonical.ts';
import { scanMembers } from '../protocol/scan-body.ts';
import { removeMember, replaceValue, splice, valueText } from '../protocol/splice.ts';

/** Members that stand for earlier items. */
type Named = 'previous_response_id' | 'conversation';

/**
 * The body with `items` before its input, in place of the member that names them. Inputs are a text
 * or a list; the bytes of the caller's input stay unchanged.
 */
export const withItemsBefore = (
  body: Buffer,
  items: readonly JsonObject[],
  name: Named,
): Buffer => {
  const before = items.map((item) => JSON.stringify(item)).join(',');
  const members = scanMembers(body);
  const input = members?.get('input');
  const named = members?.get(name);
  if (named === undefined) return body;
  if (input === undefined) {
    const text = `"input":[${before}]`;
    return splice(body, [{ start: named.keyStart, end: named.valueEnd, text }]);
  }
  const text = valueText(body, input);
  const now = text.startsWith('[') ? text.slice(1, -1) : `{"role":"user","content":${text}}`;
  const comma = before === '' || now.trim() === '' ? '' : ',';
  const whole = replaceValue(input, `[${before}${comma}${now}]`);
  return splice(body, [removeMember(body, named), whole]);
};
