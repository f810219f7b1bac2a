import {
  attempt,
  body,
  eachMember,
  heldFound,
  Invalid,
  keyName,
  type Member,
  membersFrom,
  scanning,
  tooDeep,
} from './json-cursor.ts';
import { largeBytes } from './large-body.ts';
import {
  isKnownMember,
  type Level,
  type Lookalike,
  limitHolders,
  resembled,
  smallSpellings,
} from './lookalikes.ts';

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
type Named<T extends string> = Readonly<{ key: T; bytes: Buffer }>;
type ByLength<T extends string> = readonly (readonly Named<T>[])[];

/** A text for each key of each body would cost more than the rest of its scan. */
const byLength = <T extends string>(names: readonly T[]): ByLength<T> =>
  Array.from({ length: Math.max(...names.map((key) => key.length)) + 1 }, (_, length) =>
    names.filter((key) => key.length === length).map((key) => ({ key, bytes: Buffer.from(key) })),
  );
const knownByLength = byLength(knownKeys);
const smallByLength = byLength(smallSpellings);
const holdersByLength = byLength(limitHolders);

export type BodyScan = Readonly<{
  members: Readonly<Partial<Record<KnownKey, Member>>>;
  /** A member that other readers may take for a known one; absent: there is none. */
  lookalike?: Lookalike;
  /** A checked key is given twice; JSON takes the last, other readers may take the first. */
  duplicates: boolean;
  /** Offset of the closing brace of the top-level object. */
  close: number;
  empty: boolean;
  /** Bytes inside long base64 strings (images, audio), which are not text. */
  blobBytes: number;
  blobs: number;
  /** Marks of pictures and documents, inside the body or by address. */
  pictures: number;
  /** Marks of content of any size that is not in the body: kept by the provider, or by address. */
  kept: number;
}>;

const underscore = 0x5f;
const openBrace = 0x7b;
/** More are refused: callers name a few dozen. */
const maxMembers = 1_000;
const tooMany = new Invalid('too many members');

const isAt = (bytes: Buffer, from: number): boolean => {
  for (let at = 0; at < bytes.length; at += 1) if (body[from + at] !== bytes[at]) return false;
  return true;
};

const keyIn = <T extends string>(
  names: ByLength<T>,
  keyStart: number,
  keyEnd: number,
): T | undefined => {
  const from = keyStart + 1;
  for (const { key, bytes } of names[keyEnd - from - 1] ?? []) {
    if (isAt(bytes, from)) return key;
  }
  return undefined;
};

/** Small letters, digits and underscores: as nearly all names are written. */
const isPlain = (keyStart: number, keyEnd: number): boolean => {
  for (let at = keyStart + 1; at < keyEnd - 1; at += 1) {
    const byte = body[at] ?? 0;
    const isSmall = byte >= 0x61 && byte <= 0x7a;
    if (!isSmall && byte !== underscore && !(byte >= 0x30 && byte <= 0x39)) return false;
  }
  return true;
};

/** A key that is not a known one as it is written, but may be for another reader. */
const lookalikeAt = (keyStart: number, keyEnd: number, level: Level): Lookalike | undefined => {
  const isUsual = isPlain(keyStart, keyEnd) && keyIn(smallByLength, keyStart, keyEnd) === undefined;
  if (isUsual) return undefined;
  const name = keyName(keyStart, keyEnd);
  const raw = body.toString('utf8', keyStart + 1, keyEnd - 1);
  if (raw !== name && isKnownMember(name, level)) return { given: raw, known: name };
  const known = resembled(name, level);
  return known === null ? undefined : { given: raw, known };
};

/** The first lookalike in an object that holds limits. */
const nestedLookalike = (valueStart: number): Lookalike | undefined => {
  let found: Lookalike | undefined;
  membersFrom(valueStart, (keyEnd, { keyStart }) => {
    found ??= lookalikeAt(keyStart, keyEnd, 'nested');
  });
  return found;
};

/** null when the body is not one JSON object. */
export const scanBody = (bytes: Buffer): BodyScan | null =>
  scanning(bytes, () => {
    const members: Partial<Record<KnownKey, Member>> = {};
    let duplicates = false;
    let lookalike: Lookalike | undefined;
    const ends = eachMember((keyEnd, member) => {
      const { keyStart, valueStart } = member;
      const key = keyIn(knownByLength, keyStart, keyEnd);
      if (key === undefined) lookalike ??= lookalikeAt(keyStart, keyEnd, 'topLevel');
      else {
        if (members[key] !== undefined) duplicates = true;
        members[key] = member;
      }
      if (body[valueStart] !== openBrace) return;
      if (keyIn(holdersByLength, keyStart, keyEnd) === undefined) return;
      lookalike ??= nestedLookalike(valueStart);
    });
    const scan = { members, duplicates, ...ends, ...heldFound() };
    return lookalike === undefined ? scan : { ...scan, lookalike };
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
