import { scanMembers } from '../../protocol/scan-body.ts';
import {
  appendMembers,
  type Edit,
  removeMember,
  replaceValue,
  splice,
} from '../../protocol/splice.ts';

/** Sets members of a JSON body by name, and leaves every other byte as it came. */
export const withMembers = (body: Buffer, values: ReadonlyMap<string, string>): Buffer => {
  if (values.size === 0) return body;
  const members = scanMembers(body);
  if (members === null) return body;
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

/** Takes members out, one after the other: two that stand side by side share a comma. */
export const withoutMembers = (body: Buffer, names: readonly string[]): Buffer => {
  let rest = body;
  for (const name of names) {
    const member = scanMembers(rest)?.get(name);
    if (member !== undefined) rest = splice(rest, [removeMember(rest, member)]);
  }
  return rest;
};
