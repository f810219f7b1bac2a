import {
  attempt,
  blobsFound,
  body,
  eachMember,
  Invalid,
  keyName,
  type Member,
  scanning,
  tooDeep,
} from './json-cursor.ts';
import { largeBytes } from './large-body.ts';

export { type Member, maxDepth } from './json-cursor.ts';

const knownKeys = [
  'model',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'n',
  'messages',
  'prompt',
  'input',
  'group',
  'tools',
  'web_search_options',
  'reasoning_effort',
  'previous_response_id',
  'conversation',
  'store',
  'cachedContent',
  'cached_content',
  'extra_body',
] as const;
export type KnownKey = (typeof knownKeys)[number];
const knownByName = new Map<string, KnownKey>(knownKeys.map((key) => [key, key]));
type KnownBytes = Readonly<{ key: KnownKey; bytes: Buffer }>;
const maxKnownKey = Math.max(...knownKeys.map((key) => key.length));
/** A text for each key of each body would cost more than the rest of its scan. */
const knownByLength: readonly (readonly KnownBytes[])[] = Array.from(
  { length: maxKnownKey + 1 },
  (_, length) =>
    knownKeys
      .filter((key) => key.length === length)
      .map((key) => ({ key, bytes: Buffer.from(key) })),
);

export type BodyScan = Readonly<{
  members: Readonly<Partial<Record<KnownKey, Member>>>;
  /** A checked key is given twice; JSON takes the last, other readers may take the first. */
  duplicates: boolean;
  /** Offset of the closing brace of the top-level object. */
  close: number;
  empty: boolean;
  /** Bytes inside long base64 strings (images, audio), which are not text. */
  blobBytes: number;
  blobs: number;
}>;

const backslash = 0x5c;
/** More are refused: callers name a few dozen. */
const maxMembers = 1_000;
const tooMany = new Invalid('too many members');

const isAt = (bytes: Buffer, from: number): boolean => {
  for (let at = 0; at < bytes.length; at += 1) if (body[from + at] !== bytes[at]) return false;
  return true;
};

const knownKey = (keyStart: number, keyEnd: number): KnownKey | undefined => {
  const from = keyStart + 1;
  for (const { key, bytes } of knownByLength[keyEnd - from - 1] ?? []) {
    if (isAt(bytes, from)) return key;
  }
  for (let at = from; at < keyEnd - 1; at += 1) {
    if (body[at] === backslash) return knownByName.get(keyName(keyStart, keyEnd));
  }
  return undefined;
};

/** null when the body is not one JSON object. */
export const scanBody = (bytes: Buffer): BodyScan | null =>
  scanning(bytes, () => {
    const members: Partial<Record<KnownKey, Member>> = {};
    let duplicates = false;
    const ends = eachMember((keyEnd, member) => {
      const key = knownKey(member.keyStart, keyEnd);
      if (key === undefined) return;
      if (members[key] !== undefined) duplicates = true;
      members[key] = member;
    });
    return { members, duplicates, ...ends, ...blobsFound() };
  });

/** What another thread found in long bodies: they are not scanned a second time. */
const known = new WeakMap<Buffer, ReadonlyMap<string, Member>>();
export const rememberMembers = (
  bytes: Buffer,
  members: Iterable<readonly [name: string, member: Member]>,
): void => {
  known.set(bytes, new Map(members));
};

export const forgetMember = (bytes: Buffer, name: string): void => {
  const members = known.get(bytes);
  if (members !== undefined) {
    rememberMembers(
      bytes,
      [...members].filter(([key]) => key !== name),
    );
  }
};

const allMembers = (): ReadonlyMap<string, Member> => {
  const members = new Map<string, Member>();
  eachMember((keyEnd, member) => {
    members.set(keyName(member.keyStart, keyEnd), member);
    if (members.size > maxMembers) throw tooMany;
  });
  return members;
};

/** Every member of the top-level object by its decoded name; the last of equal names wins. */
export const scanMembers = (bytes: Buffer): ReadonlyMap<string, Member> | null =>
  (bytes.length < largeBytes ? undefined : known.get(bytes)) ?? scanning(bytes, allMembers);

export type BodyProblem = 'not-json' | 'too-deep' | 'too-many-members';

/** Why a body cannot be used; determined only where `scanBody` rejects it. */
export const bodyProblem = (bytes: Buffer): BodyProblem => {
  const found = attempt(bytes, allMembers);
  if (found === tooDeep) return 'too-deep';
  return found === tooMany ? 'too-many-members' : 'not-json';
};
