import { objectEnd, valueAt } from './usage-scan.ts';

const lf = 0x0a;
const quote = 0x22;
const backslash = 0x5c;
const letterD = 0x64;
const letterU = 0x75;
const openBrace = 0x7b;
const asciiTokens = 1 / 4;
/** `\uXXXX`, and one half of a character beyond the first plane. */
const unicodeEscapeBytes = 6;

/** The members of an event that hold output, by the length of their names. */
export type OutputMembers = readonly (readonly Buffer[] | undefined)[];

export const outputMembers = (...names: readonly string[]): OutputMembers => {
  const byLength: (Buffer[] | undefined)[] = Array.from({ length: 32 });
  for (const name of names) {
    byLength[name.length] = [...(byLength[name.length] ?? []), Buffer.from(name)];
  }
  return byLength;
};

/** Tokens of a byte of UTF-8, as `roughTokens` has them of UTF-16. */
const byteTokens = Float64Array.from({ length: 256 }, (_none, byte) => {
  if (byte < 0x80) return asciiTokens;
  if (byte < 0xc0) return 0;
  return byte < 0xf0 ? 1 : 2;
});

/** Where the string closes whose first byte is at `from`: no string of JSON holds a line feed. */
const stringClose = (bytes: Buffer, from: number): number => {
  let at = from;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === quote || byte === lf) return at;
    at += byte === backslash ? 2 : 1;
  }
  return bytes.length;
};

const isAt = (name: Buffer, bytes: Buffer, from: number): boolean => {
  for (let at = 0; at < name.length; at += 1) if (name[at] !== bytes[from + at]) return false;
  return true;
};

/** The name of a member that holds output; null: that string is another. */
const memberAt = (
  members: OutputMembers,
  bytes: Buffer,
  { from, to }: Readonly<{ from: number; to: number }>,
): Buffer | null => {
  const names = members[to - from];
  if (names === undefined) return null;
  for (const name of names) if (isAt(name, bytes, from)) return name;
  return null;
};

const hexCode = (bytes: Buffer, from: number): number =>
  Number.parseInt(bytes.toString('latin1', from, from + 4), 16);

const bytesTokens = (bytes: Buffer, from: number, to: number): number => {
  let tokens = 0;
  let at = from;
  while (at < to) {
    const byte = bytes[at] ?? 0;
    if (byte !== backslash) {
      tokens += byteTokens[byte] ?? 0;
      at += 1;
    } else if (bytes[at + 1] === letterU) {
      tokens += hexCode(bytes, at + 2) > 127 ? 1 : asciiTokens;
      at += unicodeEscapeBytes;
    } else {
      tokens += asciiTokens;
      at += 2;
    }
  }
  return tokens;
};

/** Offset of a member with output in its line, and its name. */
type Place = Readonly<{ offset: number; name: Buffer }>;

const isMemberAt = (events: Buffer, at: number, name: Buffer): boolean =>
  events[at] === quote && events[at + 1 + name.length] === quote && isAt(name, events, at + 1);

/**
 * About how many tokens a stream produced: the same estimate as `roughTokens` makes of its text,
 * from the bytes of the members that contain it. Text cannot be mistaken for a member: its quotes
 * are escaped.
 */
export class OutputScan {
  private readonly members: OutputMembers;
  /** The events of a stream are alike: where the last one had its first output, the next is tried. */
  private place: Place | null = null;
  private isPlaced = false;
  private lineStart = 0;
  /** Estimated output so far. */
  tokens = 0;
  /** `data` lines so far. */
  events = 0;

  constructor(members: OutputMembers) {
    this.members = members;
  }

  /** Takes whole events. */
  add(events: Buffer): void {
    let at = this.beginLine(events, 0);
    while (at < events.length) {
      const byte = events[at];
      if (byte === quote) at = this.member(events, at);
      else if (byte === lf) at = this.beginLine(events, at + 1);
      else at += 1;
    }
  }

  /** Of a piece of an event, its size is the only measure. */
  addPiece(bytes: number): void {
    this.tokens += bytes * asciiTokens;
  }

  /** Where reading of a line begins. */
  private beginLine(events: Buffer, lineStart: number): number {
    this.lineStart = lineStart;
    if (events[lineStart] === letterD) this.events += 1;
    const { place } = this;
    const at = place === null ? lineStart : lineStart + place.offset;
    this.isPlaced = place !== null && isMemberAt(events, at, place.name);
    return this.isPlaced ? at : lineStart;
  }

  /** Reads a string and, where it names output, its value. */
  private member(events: Buffer, at: number): number {
    const close = stringClose(events, at + 1);
    const name = memberAt(this.members, events, { from: at + 1, to: close });
    // A line feed ends what is no string after all.
    if (name === null) return events[close] === lf ? close : close + 1;
    const value = valueAt(events, close + 1);
    if (value === -1) return close + 1;
    if (!this.isPlaced) {
      this.isPlaced = true;
      this.place = { offset: at - this.lineStart, name };
    }
    return this.output(events, value);
  }

  /**
   * Counts a value that is a string or an object; anything else contains members of another level.
   */
  private output(events: Buffer, value: number): number {
    if (events[value] === quote) {
      const end = stringClose(events, value + 1);
      this.tokens += bytesTokens(events, value + 1, end);
      return events[end] === lf ? end : end + 1;
    }
    const end = events[value] === openBrace ? objectEnd(events, value) : -1;
    if (end === -1) return value;
    this.tokens += bytesTokens(events, value, end);
    return end;
  }
}
