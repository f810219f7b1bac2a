import { crc32 } from 'node:zlib';

/** One message of `application/vnd.amazon.eventstream`. */
export type Frame = Readonly<{ headers: Readonly<Record<string, string>>; payload: Buffer }>;

export type FrameReader = Readonly<{
  /** The frames that are complete now; null when one is damaged or longer than allowed. */
  push: (bytes: Buffer) => readonly Frame[] | null;
  end: () => readonly Frame[];
}>;

/** Total length, length of headers, checksum of both. */
const preludeBytes = 12;
const checksumBytes = 4;
/** Far above what one event of a text model can be. */
const maxFrameBytes = 32 * 1024 * 1024;
const textType = 7;

/** Sizes of header values by their type; texts and bytes (6, 7) contain their size. */
const fixedSizes: Readonly<Record<number, number>> = {
  0: 0,
  1: 0,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  8: 8,
  9: 16,
};

type Value = Readonly<{ type: number; start: number; end: number }>;

/** The value of a header, whose type is at `at`; null: it exceeds the bytes. */
const valueAt = (bytes: Buffer, at: number): Value | null => {
  const type = bytes.readUInt8(at);
  const fixed = fixedSizes[type];
  if (fixed === undefined && at + 3 > bytes.length) return null;
  const start = fixed === undefined ? at + 3 : at + 1;
  const end = start + (fixed ?? bytes.readUInt16BE(at + 1));
  return end > bytes.length ? null : { type, start, end };
};

const readHeaders = (bytes: Buffer): Readonly<Record<string, string>> | null => {
  const headers: Record<string, string> = {};
  let at = 0;
  while (at < bytes.length) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    if (nameEnd >= bytes.length) return null;
    const name = bytes.toString('utf8', at + 1, nameEnd);
    const value = valueAt(bytes, nameEnd);
    if (value === null) return null;
    if (value.type === textType) headers[name] = bytes.toString('utf8', value.start, value.end);
    at = value.end;
  }
  return headers;
};

const readFrame = (bytes: Buffer): Frame | null => {
  const end = bytes.length - checksumBytes;
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32BE(end)) return null;
  const payloadStart = preludeBytes + bytes.readUInt32BE(4);
  if (payloadStart > end) return null;
  const headers = readHeaders(bytes.subarray(preludeBytes, payloadStart));
  return headers === null ? null : { headers, payload: bytes.subarray(payloadStart, end) };
};

/** Whole length of the frame at the start; null when its prelude is damaged. */
const frameLength = (bytes: Buffer): number | null => {
  if (crc32(bytes.subarray(0, 8)) !== bytes.readUInt32BE(8)) return null;
  const length = bytes.readUInt32BE(0);
  const isPlausible = length >= preludeBytes + checksumBytes && length <= maxFrameBytes;
  return isPlausible ? length : null;
};

/** Frames out of reads that may end anywhere. */
export const createFrameReader = (): FrameReader => {
  let held: Buffer[] = [];
  let heldBytes = 0;
  /** Nothing can be done before this many bytes are there. */
  let needed = preludeBytes;

  const rest = (bytes: Buffer): void => {
    held = bytes.length === 0 ? [] : [bytes];
    heldBytes = bytes.length;
  };

  /** The whole frames at the start of `bytes`, and where they end; null: one is damaged. */
  const readFrames = (bytes: Buffer): Readonly<{ frames: Frame[]; end: number }> | null => {
    const frames: Frame[] = [];
    let end = 0;
    needed = preludeBytes;
    while (bytes.length - end >= preludeBytes) {
      const length = frameLength(bytes.subarray(end));
      if (length === null) return null;
      needed = length;
      if (bytes.length - end < length) break;
      const frame = readFrame(bytes.subarray(end, end + length));
      if (frame === null) return null;
      frames.push(frame);
      end += length;
      needed = preludeBytes;
    }
    return { frames, end };
  };

  return {
    push: (bytes) => {
      held.push(bytes);
      heldBytes += bytes.length;
      if (heldBytes < needed) return [];
      const own = held.length === 1 ? bytes : Buffer.concat(held);
      const read = readFrames(own);
      if (read === null) return null;
      rest(own.subarray(read.end));
      return read.frames;
    },
    end: () => [],
  };
};
