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

export type Field =
  | Readonly<{ number: number; kind: 'varint'; value: bigint }>
  | Readonly<{ number: number; kind: 'bytes'; value: Buffer }>
  | Readonly<{ number: number; kind: 'fixed' }>;

const readVarint = (buffer: Buffer, start: number): { value: bigint; next: number } => {
  let small = 0;
  let scale = 1;
  for (let at = start; at < buffer.length && at < start + 7; at += 1) {
    const byte = buffer[at] ?? 0;
    small += (byte & 127) * scale;
    if (byte < 128) return { value: BigInt(small), next: at + 1 };
    scale *= 128;
  }
  let value = BigInt(small);
  let shift = 49n;
  for (let at = start + 7; at < buffer.length && at < start + 10; at += 1) {
    const byte = buffer[at] ?? 0;
    value += BigInt(byte & 127) << shift;
    if (byte < 128) return { value: BigInt.asUintN(64, value), next: at + 1 };
    shift += 7n;
  }
  throw new ProtobufError();
};

/** @throws ProtobufError */
export const fieldsOf = function* (buffer: Buffer): Generator<Field> {
  let at = 0;
  while (at < buffer.length) {
    const tag = readVarint(buffer, at);
    const number = Number(tag.value >> 3n);
    const wireType = Number(tag.value & 7n);
    switch (wireType) {
      case VARINT: {
        const { value, next } = readVarint(buffer, tag.next);
        yield { number, kind: 'varint', value };
        at = next;
        break;
      }
      case BYTES: {
        const size = readVarint(buffer, tag.next);
        at = size.next + Number(size.value);
        if (at > buffer.length) throw new ProtobufError();
        yield { number, kind: 'bytes', value: buffer.subarray(size.next, at) };
        break;
      }
      case FIXED64:
        yield { number, kind: 'fixed' };
        at = tag.next + 8;
        break;
      case FIXED32:
        yield { number, kind: 'fixed' };
        at = tag.next + 4;
        break;
      default:
        throw new ProtobufError();
    }
  }
};
