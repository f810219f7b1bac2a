/*
 * Just enough protobuf for the two hot messages, appends in and events out: about half the work of
 * the generated classes. The writer fills its buffer from the end, so that the length of a nested
 * message is known when its header is written.
 */

const tagOf = (field: number, wireType: number): number => field * 8 + wireType;
const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

export class ProtobufWriter {
  readonly #buffer: Buffer;
  #at: number;

  /** `capacity` is an upper bound of the whole message, in bytes. */
  constructor(capacity: number) {
    this.#buffer = Buffer.allocUnsafe(capacity);
    this.#at = capacity;
  }

  finish(): Buffer {
    return this.#buffer.subarray(this.#at);
  }

  uint64(field: number, value: number | bigint): void {
    if (typeof value === 'bigint') this.#bigVarint(value);
    else this.#varint(value);
    this.#varint(tagOf(field, VARINT));
  }

  bytes(field: number, value: Uint8Array): void {
    this.#at -= value.length;
    this.#buffer.set(value, this.#at);
    this.#header(field, value.length);
  }

  string(field: number, value: string): void {
    const size = Buffer.byteLength(value);
    this.#at -= size;
    this.#buffer.write(value, this.#at, size, 'utf8');
    this.#header(field, size);
  }

  message(field: number, fill: (writer: ProtobufWriter) => void): void {
    const end = this.#at;
    fill(this);
    this.#header(field, end - this.#at);
  }

  empty(field: number): void {
    this.#header(field, 0);
  }

  #header(field: number, size: number): void {
    this.#varint(size);
    this.#varint(tagOf(field, BYTES));
  }

  #varint(value: number): void {
    let size = 1;
    for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size += 1;
    this.#at -= size;
    let rest = value;
    for (let index = 0; index < size; index += 1) {
      const low = rest % 128;
      rest = (rest - low) / 128;
      this.#buffer[this.#at + index] = index === size - 1 ? low : low + 128;
    }
  }

  #bigVarint(value: bigint): void {
    const groups: number[] = [];
    let rest = BigInt.asUintN(64, value);
    do {
      groups.push(Number(rest & 127n));
      rest >>= 7n;
    } while (rest > 0n);
    this.#at -= groups.length;
    for (const [index, group] of groups.entries()) {
      this.#buffer[this.#at + index] = index === groups.length - 1 ? group : group + 128;
    }
  }
}

/** Malformed bytes from a client. */
export class ProtobufError extends Error {
  constructor() {
    super('malformed protobuf message');
    this.name = 'ProtobufError';
  }
}

type FieldKind = 'varint' | 'bytes' | 'fixed';

/** The fields of one message, one after another; nothing is copied. */
export class FieldReader {
  readonly #buffer: Buffer;
  readonly #limit: number;
  #at: number;
  /** Where the value of the field stands. */
  #start = 0;
  #end = 0;
  /** Of the field that `next` came to, as its kind. */
  number = 0;
  kind: FieldKind = 'fixed';

  constructor(buffer: Buffer, from = 0, to: number = buffer.length) {
    this.#buffer = buffer;
    this.#at = from;
    this.#limit = to;
  }

  /** False at the end. @throws ProtobufError */
  next(): boolean {
    if (this.#at >= this.#limit) return false;
    const tag = this.#varint();
    this.number = Math.floor(tag / 8);
    switch (tag % 8) {
      case VARINT:
        this.#set('varint', this.#at);
        this.#varint();
        this.#end = this.#at;
        return true;
      case BYTES:
        return this.#skip('bytes', this.#varint());
      case FIXED64:
        return this.#skip('fixed', 8);
      case FIXED32:
        return this.#skip('fixed', 4);
      default:
        throw new ProtobufError();
    }
  }

  /** Of 64 bits, without a sign. */
  integer(): bigint {
    let value = 0n;
    let shift = 0n;
    for (let at = this.#start; at < this.#end; at += 1) {
      value += BigInt((this.#buffer[at] ?? 0) & 127) << shift;
      shift += 7n;
    }
    return BigInt.asUintN(64, value);
  }

  bytes(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  text(): string {
    return this.#buffer.toString('utf8', this.#start, this.#end);
  }

  message(): FieldReader {
    return new FieldReader(this.#buffer, this.#start, this.#end);
  }

  #set(kind: FieldKind, start: number): void {
    this.kind = kind;
    this.#start = start;
  }

  #skip(kind: FieldKind, size: number): boolean {
    this.#set(kind, this.#at);
    this.#at += size;
    this.#end = this.#at;
    if (this.#at > this.#limit) throw new ProtobufError();
    return true;
  }

  /** At most ten bytes; exact up to 2^53, which is more than any tag or length may be. */
  #varint(): number {
    let value = 0;
    let scale = 1;
    const last = Math.min(this.#limit, this.#at + 10);
    while (this.#at < last) {
      const byte = this.#buffer[this.#at] ?? 0;
      this.#at += 1;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
    throw new ProtobufError();
  }
}
