/*
 * The wire format of protobuf, read in place. Each field begins with a tag: its number and one of four wire types.
 */
const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

export const varintTag = (field: number): number => field * 8 + VARINT;
/** Of a text, bytes or a message: its length precedes it. */
export const bytesTag = (field: number): number => field * 8 + BYTES;

/** Malformed bytes from the other side. */
export class ProtobufError extends Error {
  constructor() {
    super('malformed protobuf message');
    this.name = 'ProtobufError';
  }
}

const maxVarintBytes = 10;

/** The fields of one message, one after another; nothing is copied. */
export class FieldReader {
  readonly #buffer: Buffer;
  readonly #limit: number;
  #at: number;
  /** Offset of the value of the field. */
  #start = 0;
  #end = 0;
  /** Of the field that `next` reached. */
  tag = 0;
  /** Of a varint; exact up to 2^53. */
  value = 0;

  constructor(buffer: Buffer, from = 0, to: number = buffer.length) {
    this.#buffer = buffer;
    this.#at = from;
    this.#limit = to;
  }

  /** False at the end. @throws ProtobufError */
  next(): boolean {
    if (this.#at >= this.#limit) return false;
    this.tag = this.#varint();
    switch (this.tag % 8) {
      case VARINT:
        this.#start = this.#at;
        this.value = this.#varint();
        this.#end = this.#at;
        return true;
      case BYTES:
        return this.#skip(this.#varint());
      case FIXED64:
        return this.#skip(8);
      case FIXED32:
        return this.#skip(4);
      default:
        throw new ProtobufError();
    }
  }

  /** A varint of 64 bits, without a sign. */
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

  #skip(size: number): boolean {
    this.#start = this.#at;
    this.#at += size;
    this.#end = this.#at;
    if (this.#at > this.#limit) throw new ProtobufError();
    return true;
  }

  #varint(): number {
    let value = 0;
    let scale = 1;
    const last = Math.min(this.#limit, this.#at + maxVarintBytes);
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
