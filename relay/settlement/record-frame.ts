import { crc32 } from 'node:zlib';

/*
 * A record in a journal file: four bytes with its length, four with its CRC-32 (both little-endian),
 * its JSON in ASCII, a line feed. What is preallocated and not written yet is zeros.
 */
export const headerBytes = 8;
export const lineFeed = 0x0a;
const openingBrace = 0x7b;
/** `{}`: zeros would pass for a record of no length. */
const minLength = 2;

/** `from`, `to`: place of the JSON; the header before it and the line feed are written here. */
export const sealFrame = (bytes: Buffer, from: number, to: number): void => {
  bytes.writeUInt32LE(to - from, from - headerBytes);
  bytes.writeUInt32LE(crc32(bytes.subarray(from, to)), from - headerBytes + 4);
  bytes[to] = lineFeed;
};

export const frameOf = (json: string): Buffer => {
  const bytes = Buffer.alloc(headerBytes + json.length + 1);
  const to = headerBytes + bytes.write(json, headerBytes, 'latin1');
  sealFrame(bytes, headerBytes, to);
  return bytes;
};

/**
 * What is found in place of records: `damaged` bytes that were a record once, the `torn` end of a
 * write that a crash broke off, or a `missing` file.
 */
export type Damage = Readonly<{ kind: 'damaged' | 'torn' | 'missing'; at: number; length: number }>;
export type FrameListener = Readonly<{
  onRecord: (from: number, to: number) => void;
  onDamage: (damage: Damage) => void;
}>;

/** Where the JSON of the frame at `at` ends; -1: there is none. */
const endOf = (bytes: Buffer, at: number): number => {
  const from = at + headerBytes;
  if (from + minLength >= bytes.length) return -1;
  const length = bytes.readUInt32LE(at);
  const to = from + length;
  if (length < minLength || to >= bytes.length || bytes[from] !== openingBrace) return -1;
  return crc32(bytes.subarray(from, to)) === bytes.readUInt32LE(at + 4) ? to : -1;
};

/** The next frame after damage; -1: none. */
const nextFrame = (bytes: Buffer, after: number): number => {
  let brace = bytes.indexOf(openingBrace, after + headerBytes);
  while (brace !== -1) {
    const at = brace - headerBytes;
    const to = brace + bytes.readUInt32LE(at);
    // A line feed where it has to be spares most of the checksums.
    if (to < bytes.length && bytes[to] === lineFeed && endOf(bytes, at) === to) return at;
    brace = bytes.indexOf(openingBrace, brace + 1);
  }
  return -1;
};

const zeros = Buffer.alloc(65_536);

/** Where the zeros at the end begin. */
const dataEnd = (bytes: Buffer): number => {
  let end = bytes.length;
  while (end > 0) {
    const start = Math.max(0, end - zeros.length);
    if (!bytes.subarray(start, end).equals(zeros.subarray(0, end - start))) break;
    end = start;
  }
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  return end;
};

/**
 * A write that broke off has written nothing from there on: no line feed after the header, and zero
 * where its length places the line feed. A length or a checksum may equal a line feed.
 */
const isBrokenOff = (bytes: Buffer, at: number, dataTo: number): boolean => {
  const from = at + headerBytes;
  if (from >= dataTo) return true;
  const written = bytes.subarray(from, dataTo);
  return !written.includes(lineFeed) && !written[bytes.readUInt32LE(at)];
};

/** All whole records of a file, in order, and what is between them. */
export const scanFrames = (bytes: Buffer, { onRecord, onDamage }: FrameListener): void => {
  const dataTo = dataEnd(bytes);
  for (let at = 0; at < dataTo; ) {
    const to = endOf(bytes, at);
    if (to !== -1) {
      onRecord(at + headerBytes, to);
      at = to + 1;
      continue;
    }
    const next = nextFrame(bytes, at + 1);
    const until = next === -1 ? dataTo : next;
    const isTorn = next === -1 && isBrokenOff(bytes, at, dataTo);
    onDamage({ kind: isTorn ? 'torn' : 'damaged', at, length: until - at });
    at = until;
  }
};
