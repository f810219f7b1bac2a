/** Bytes of one slab; a record that is longer has one of its own. */
const slabBytes = 65_536;

/** Where a record stands. */
export type Place = Readonly<{ slab: Buffer; from: number; to: number }>;

/**
 * Records on their way to the file and to the bus, as bytes outside of the engine's heap: while
 * thousands wait for the bus, the collector would carry each text about twice.
 */
export class RecordBytes {
  #slab = Buffer.allocUnsafeSlow(slabBytes);
  #taken = 0;
  #end = 0;
  #full: Buffer[] = [];

  /** Adds a line of ASCII. The place leaves out its line break. */
  add(line: string): Place {
    const length = line.length + 1;
    if (this.#end + length > this.#slab.length) this.#turnOver(length);
    const slab = this.#slab;
    const from = this.#end;
    const to = from + slab.write(line, from, 'latin1');
    slab[to] = 0x0a;
    this.#end = to + 1;
    return { slab, from, to };
  }

  /** All that was added since the last time, in order. */
  take(): readonly Buffer[] {
    const pieces = this.#full;
    if (this.#end > this.#taken) pieces.push(this.#slab.subarray(this.#taken, this.#end));
    this.#taken = this.#end;
    this.#full = [];
    return pieces;
  }

  #turnOver(length: number): void {
    this.#full = [...this.take()];
    this.#slab = Buffer.allocUnsafeSlow(Math.max(slabBytes, length));
    this.#taken = 0;
    this.#end = 0;
  }
}
