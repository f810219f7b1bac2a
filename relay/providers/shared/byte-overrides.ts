import { scanMembers } from '../../ingress/scan-body.ts';
import { appendMembers, type Edit, replaceValue, splice } from '../../ingress/splice.ts';

/** Sets members of a JSON body by name, and leaves every other byte as it came. */
export const withMembers = (body: Buffer, values: ReadonlyMap<string, string>): Buffer => {
  const members = scanMembers(body);
  if (members === null || values.size === 0) return body;
  const edits: Edit[] = [];
  const inserts: (readonly [key: string, json: string])[] = [];
  for (const [key, json] of values) {
    const member = members.get(key);
    if (member === undefined) inserts.push([key, json]);
    else edits.push(replaceValue(member, json));
  }
  if (inserts.length > 0) {
    const close = body.lastIndexOf('}');
    edits.push(appendMembers({ close, empty: members.size === 0 }, inserts));
  }
  return splice(body, edits);
};
