import type { Dice } from '../world/dice.ts';

type Write = Readonly<{ from: number; bytes: Uint8Array }>;

/** The bytes of one file: as the process sees them, and as they survive a loss of power. */
export class SimFile {
  #bytes = Buffer.alloc(0);
  #length = 0;
  #durable = Buffer.alloc(0);
  #durableLength = 0;
  /** In the order in which they were made; not synced. */
  #unsynced: Write[] = [];

  get length(): number {
    return this.#length;
  }

  content(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** The bytes are the file's from now on. */
  write(bytes: Uint8Array, from: number): void {
    this.#grow(from + bytes.length);
    this.#bytes.set(bytes, from);
    this.#length = Math.max(this.#length, from + bytes.length);
    this.#unsynced.push({ from, bytes });
  }

  truncate(length: number): void {
    if (length > this.#length) {
      this.write(new Uint8Array(length - this.#length), this.#length);
      return;
    }
    this.#length = length;
    this.#syncAll();
  }

  sync(): void {
    if (this.#durable.length < this.#bytes.length) {
      this.#syncAll();
      return;
    }
    for (const { from, bytes } of this.#unsynced) this.#durable.set(bytes, from);
    this.#durableLength = this.#length;
    this.#unsynced = [];
  }

  /** What was not synced is there, torn, or gone, write by write. */
  losePower(dice: Dice): void {
    const survived = new SimFile();
    survived.#bytes = Buffer.from(this.#durable.subarray(0, this.#durableLength));
    survived.#length = this.#durableLength;
    for (const { from, bytes } of this.#unsynced) {
      const kept = dice.chance(0.3)
        ? dice.int(bytes.length + 1)
        : dice.chance(0.5)
          ? bytes.length
          : 0;
      if (kept > 0) survived.write(bytes.subarray(0, kept), from);
      // Later appends do not reach the disk without the ones before them.
      if (kept < bytes.length) break;
    }
    this.#bytes = survived.#bytes;
    this.#length = survived.#length;
    this.#syncAll();
  }

  /** Another byte than was written, somewhere in what is there. */
  flip(at: number, bit: number): void {
    const byte = this.#bytes[at];
    if (at >= this.#length || byte === undefined) return;
    this.#bytes[at] = byte ^ (1 << bit);
    this.#syncAll();
  }

  #syncAll(): void {
    this.#durable = Buffer.from(this.#bytes);
    this.#durableLength = this.#length;
    this.#unsynced = [];
  }

  #grow(length: number): void {
    if (length <= this.#bytes.length) return;
    const grown = Buffer.alloc(Math.max(4_096, 2 * length));
    grown.set(this.content());
    this.#bytes = grown;
  }
}
