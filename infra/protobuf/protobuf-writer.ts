import { bytesTag, varintTag } from './field-reader.ts';

/**
 * Writes one message from its last field to its first, so that the length of a nested message is
 * available when its header is written. For the two hot messages, appends and events: about half
 * the work of the generated classes.
 */
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

  /** Bytes that are fields already. */
  fields(bytes: Uint8Array): void {
    this.#at -= bytes.length;
    this.#buffer.set(bytes, this.#at);
  }

  uint64(field: number, value: number | bigint): void {
    if (typeof value === 'bigint') this.#bigVarint(value);
    else this.#varint(value);
    this.#varint(varintTag(field));
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
    this.#varint(bytesTag(field));
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
