import type { Cell, Row } from './table.ts';

export type Column = Readonly<{ name: string; type: string }>;

/** Signature, flags, and no extension before the rows. */
const header = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const endMark = -1;
const nullMark = -1;
/** Of a row of the usual size; more is made when it turns out to be needed. */
const rowBytes = 640;
/** Bytes of the largest cell that is no text, with its length. */
const fixedBytes = 12;
/** Bytes of UTF-8 that one unit of a string takes at most. */
const unitBytes = 3;

/** PostgreSQL has no NUL in texts. */
const stored = (value: string): string =>
  value.includes('\u0000') ? value.replaceAll('\u0000', '') : value;

/** Names and words: written manually they take half the time of a call for each. */
const shortText = 24;

/** Bytes that grow; numbers have the high byte first. */
class Bytes {
  #buffer: Buffer;
  #at = 0;

  constructor(size: number) {
    this.#buffer = Buffer.allocUnsafe(size);
  }

  int16(value: number): void {
    this.#at = this.#buffer.writeInt16BE(value, this.#room(2));
  }
  int32(value: number): void {
    this.#word(value, this.#room(4));
    this.#at += 4;
  }
  /** @throws RangeError for what is no whole number, or is beyond 2^53 */
  int8(value: Cell): void {
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw new RangeError(`${value} is not a safe integer`);
    const at = this.#room(fixedBytes);
    const high = Math.floor(number / 0x1_0000_0000);
    this.#word(8, at);
    this.#word(high, at + 4);
    this.#word(number - high * 0x1_0000_0000, at + 8);
    this.#at = at + fixedBytes;
  }
  float8(value: Cell): void {
    this.int32(8);
    this.#at = this.#buffer.writeDoubleBE(Number(value), this.#room(8));
  }
  bool(value: Cell): void {
    this.int32(1);
    this.#at = this.#buffer.writeUInt8(value === true ? 1 : 0, this.#room(1));
  }
  text(value: Cell): void {
    const text = String(value);
    const at = this.#room(4 + text.length * unitBytes);
    const size = this.#ascii(text, at + 4) ?? this.#buffer.write(stored(text), at + 4, 'utf8');
    this.#word(size, at);
    this.#at = at + 4 + size;
  }
  raw(bytes: Buffer): void {
    this.#at = this.#room(bytes.length) + bytes.copy(this.#buffer, this.#at);
  }
  taken(): Buffer {
    return this.#buffer.subarray(0, this.#at);
  }

  #word(value: number, at: number): void {
    const buffer = this.#buffer;
    buffer[at] = value >>> 24;
    buffer[at + 1] = value >>> 16;
    buffer[at + 2] = value >>> 8;
    buffer[at + 3] = value;
  }
  /** Bytes written; null for what is long, or has more to it than ASCII. */
  #ascii(text: string, at: number): number | null {
    if (text.length > shortText) return null;
    const buffer = this.#buffer;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit === 0 || unit > 127) return null;
      buffer[at + index] = unit;
    }
    return text.length;
  }
  /** Makes sure that so many bytes fit; answers where they go. */
  #room(size: number): number {
    const needed = this.#at + size;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#buffer.length));
      this.#buffer.copy(larger, 0, 0, this.#at);
      this.#buffer = larger;
    }
    return this.#at;
  }
}

type Write = (bytes: Bytes, value: Cell) => void;
const writers: Readonly<Record<string, Write>> = {
  int8: (bytes, value) => bytes.int8(value),
  float8: (bytes, value) => bytes.float8(value),
  bool: (bytes, value) => bytes.bool(value),
};
const writeText: Write = (bytes, value) => bytes.text(value);

/**
 * Rows in the binary format of COPY: neither side makes text of numbers, or searches texts for what
 * has to be escaped.
 * @throws RangeError for a number that an int8 column does not hold
 */
export const copyBinary = (columns: readonly Column[], rows: readonly Row[]): Buffer => {
  const cells = columns.map(({ name, type }) => ({ name, write: writers[type] ?? writeText }));
  const bytes = new Bytes(header.length + 2 + rows.length * rowBytes);
  bytes.raw(header);
  for (const row of rows) {
    bytes.int16(cells.length);
    for (const { name, write } of cells) {
      const value = row[name];
      if (value === null || value === undefined) bytes.int32(nullMark);
      else write(bytes, value);
    }
  }
  bytes.int16(endMark);
  return bytes.taken();
};
