import type { BodyScan, Member } from './scan-body.ts';

/** Replaces the bytes from `start` to `end` (exclusive); equal offsets insert. */
export type Edit = Readonly<{ start: number; end: number; text: string }>;

/** Changes a few places of a body and leaves every other byte unchanged. */
export const splice = (body: Buffer, edits: readonly Edit[]): Buffer => {
  if (edits.length === 0) return body;
  const ordered = [...edits].sort((a, b) => a.start - b.start);
  const parts: Buffer[] = [];
  let at = 0;
  for (const { start, end, text } of ordered) {
    parts.push(body.subarray(at, start), Buffer.from(text));
    at = end;
  }
  parts.push(body.subarray(at));
  return Buffer.concat(parts);
};

export const replaceValue = (member: Member, text: string): Edit => ({
  start: member.valueStart,
  end: member.valueEnd,
  text,
});

/** Adds members at the end of the top-level object. */
export const appendMembers = (
  scan: Pick<BodyScan, 'close' | 'empty'>,
  members: readonly (readonly [key: string, json: string])[],
): Edit => {
  const text = members.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',');
  return { start: scan.close, end: scan.close, text: scan.empty ? text : `,${text}` };
};

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Removes a member together with one adjacent comma. */
export const removeMember = (body: Buffer, member: Member): Edit => {
  let end = member.valueEnd;
  while (isSpace(body[end])) end += 1;
  if (body[end] === 0x2c) return { start: member.keyStart, end: end + 1, text: '' };
  let start = member.keyStart;
  let before = start - 1;
  while (isSpace(body[before])) before -= 1;
  if (body[before] === 0x2c) start = before;
  return { start, end: member.valueEnd, text: '' };
};

/** A value that is short where it is of use; "" for longer ones, which are not read for it. */
export const shortText = (body: Buffer, member: Member, maxBytes: number): string =>
  member.valueEnd - member.valueStart > maxBytes ? '' : valueText(body, member);

/** The value of a member; cheap for literals and numbers. */
export const valueText = (body: Buffer, member: Member): string =>
  body.toString('utf8', member.valueStart, member.valueEnd);
