import type { ParamEdit } from '../../../domain/channel/param-override.ts';
import { paramOverrideOf } from '../../feeds/channel-json.ts';
import { parseJson } from '../../protocol/json.ts';
import { scanMembers } from '../../protocol/scan-body.ts';
import {
  appendMembers,
  type Edit,
  removeMember,
  replaceValue,
  splice,
  valueText,
} from '../../protocol/splice.ts';
import { withParamEdits } from './param-edits.ts';

/** Sets members of a JSON body by name, and leaves every other byte unchanged. */
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

/** Removes members, one after the other: two adjacent ones share a comma. */
export const withoutMembers = (body: Buffer, names: readonly string[]): Buffer => {
  let rest = body;
  for (const name of names) {
    const member = scanMembers(rest)?.get(name);
    if (member !== undefined) rest = splice(rest, [removeMember(rest, member)]);
  }
  return rest;
};

/** The top-level names that edits read or write. */
const touchedBy = (edits: readonly ParamEdit[]): readonly string[] => [
  ...new Set(
    edits.flatMap((edit) =>
      edit.mode === 'move' ? [edit.from[0] ?? '', edit.to[0] ?? ''] : [edit.path[0] ?? ''],
    ),
  ),
];

const withEdits = (body: Buffer, edits: readonly ParamEdit[]): Buffer => {
  const members = scanMembers(body);
  if (members === null) return body;
  const texts = new Map<string, string>();
  for (const name of touchedBy(edits)) {
    const member = members.get(name);
    if (member !== undefined) texts.set(name, valueText(body, member));
  }
  const before = Object.fromEntries([...texts].map(([name, text]) => [name, parseJson(text)]));
  const after = withParamEdits(before, edits);
  const removed = [...texts.keys()].filter((name) => !Object.hasOwn(after, name));
  const changed = Object.entries(after).filter(([name, value]) => before[name] !== value);
  const values = new Map(changed.map(([name, value]) => [name, JSON.stringify(value)] as const));
  return withMembers(withoutMembers(body, removed), values);
};

/** The parameter override of a channel in a JSON body; every other byte stays unchanged. */
export const withOverride = (
  body: Buffer,
  override: ReadonlyMap<string, string> | null,
): Buffer => {
  if (override === null || override.size === 0) return body;
  const { values, edits } = paramOverrideOf(override);
  const set = withMembers(body, values);
  return edits.length === 0 ? set : withEdits(set, edits);
};
